package config

import "amanat/internal/limit"

// Limits are how often people may try things, as in 5/15m: five at once, then one every three minutes; off bounds nothing. Those by address
// are wide, because many people share the address of a mobile network.
type Limits struct {
	// Of failed logins: on an account from all browsers that it does not know, from each that it does, and from an address.
	LoginAccountLimit limit.Rate `env:"LIMIT_LOGIN_ACCOUNT" envDefault:"5/15m"`
	LoginBrowserLimit limit.Rate `env:"LIMIT_LOGIN_BROWSER" envDefault:"5/15m"`
	LoginAddressLimit limit.Rate `env:"LIMIT_LOGIN_ADDRESS" envDefault:"30/15m"`
	// Of wrong entries of one's own password while signed in.
	PasswordLimit limit.Rate `env:"LIMIT_PASSWORD" envDefault:"5/15m"`

	// Of mails: links for a new password by who asks and by who is asked for; links that verify an address.
	ForgotAddressLimit   limit.Rate `env:"LIMIT_FORGOT_ADDRESS" envDefault:"5/1h"`
	ForgotEmailLimit     limit.Rate `env:"LIMIT_FORGOT_EMAIL" envDefault:"3/1h"`
	VerificationLimit    limit.Rate `env:"LIMIT_VERIFICATION" envDefault:"1/1m"`
	VerificationDayLimit limit.Rate `env:"LIMIT_VERIFICATION_DAY" envDefault:"5/24h"`

	// Of calls: by address where people are not signed in, else by person.
	SignupLimit   limit.Rate `env:"LIMIT_SIGNUP" envDefault:"100/1h"`
	FeedbackLimit limit.Rate `env:"LIMIT_FEEDBACK" envDefault:"30/1h"`
	DepositLimit  limit.Rate `env:"LIMIT_DEPOSIT" envDefault:"60/1h"`
	SupportLimit  limit.Rate `env:"LIMIT_SUPPORT" envDefault:"60/1h"`
	SearchLimit   limit.Rate `env:"LIMIT_SEARCH" envDefault:"300/1m"`
	// Of pictures that one person sends, in whatever call: each takes a second of a processor, and room for ever.
	PictureLimit limit.Rate `env:"LIMIT_PICTURES" envDefault:"30/10m"`

	// Of WebSockets: open ones of one person on one api, and the size and the rate of what each may send.
	Sockets           int        `env:"LIMIT_SOCKETS" envDefault:"10"`
	SocketFrameBytes  int64      `env:"LIMIT_SOCKET_FRAME_BYTES" envDefault:"4096"`
	SocketFramesLimit limit.Rate `env:"LIMIT_SOCKET_FRAMES" envDefault:"20/2s"`
}
