package catalog

// Outcome is what a call has done: its text for the user in English, and a code by which programs
// decide and render it in another language. Each is declared as a literal:
// internal/devtools/sentences lists them.
type Outcome struct {
	Message string `json:"message" doc:"Text for the user." example:"Done."`
	Code    string `json:"outcome" doc:"What the message says, for programs." example:"done"`
}
