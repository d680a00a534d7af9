package wallet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/clock"
	"amanat/internal/money"
)

func at(day, hour, minute int) time.Time {
	return time.Date(2025, 10, day, hour, minute, 0, 0, clock.Dhaka)
}

// The wordings that the providers use, as far as they are known.
var smsCorpus = map[string]struct {
	method, text string
	stated       statement
}{
	"bKash": {
		Bkash, "You have received Tk 500.00 from 01533817247. Fee Tk 0.00. Balance Tk 1,117.78. TrxID CJU0PZQ3U6 at 30/10/2025 21:02",
		statement{false, 500_00, 0, 1117_78, "CJU0PZQ3U6", "01533817247", "", at(30, 21, 2)},
	},
	"bKash without blanks, in small letters": {
		Bkash, "You have received Tk500.00 from 01533817247. Fee Tk0.00. Balance Tk1,117.78. TrxID cju0pzq3u6 at 30/10/2025 21:02",
		statement{false, 500_00, 0, 1117_78, "CJU0PZQ3U6", "01533817247", "", at(30, 21, 2)},
	},
	"bKash with a reference of several words": {
		Bkash, "You have received Tk 12,300.00 from 01533817247. Ref for the channel. " +
			"Fee Tk 0.00. Balance Tk 1,17,417.78. TrxID CJU0PZQ3U6 at 30/10/2025 21:02",
		statement{false, 12_300_00, 0, 117_417_78, "CJU0PZQ3U6", "01533817247", "for the channel", at(30, 21, 2)},
	},
	"bKash with a reference that looks like the rest": {
		Bkash, "You have received Tk 10.00 from 01533817247. Ref x. Fee Tk 0.00. Balance Tk 99,999.00. " +
			"TrxID AAAAAAAAAA at 01/10/2025 10:00. Fee Tk 0.00. Balance Tk 1,127.78. TrxID CJU0PZQ3U6 at 30/10/2025 21:02",
		statement{
			false, 10_00, 0, 1127_78, "CJU0PZQ3U6", "01533817247",
			"x. Fee Tk 0.00. Balance Tk 99,999.00. TrxID AAAAAAAAAA at 01/10/2025 10:00", at(30, 21, 2),
		},
	},
	"bKash in Bangla digits": {
		Bkash, "You have received Tk ৫০০.০০ from 01533817247. Fee Tk ০.০০. Balance Tk ১,১১৭.৭৮. TrxID CJU0PZQ3U6 at ৩০/১০/২০২৫ ২১:০২",
		statement{false, 500_00, 0, 1117_78, "CJU0PZQ3U6", "01533817247", "", at(30, 21, 2)},
	},
	"bKash from an agent": {
		Bkash, "Cash In Tk 550.00 from 01711111111 successful. Fee Tk 0.00. Balance Tk 1,667.78. TrxID CJK3FL5BBF at 20/10/2025 09:15",
		statement{false, 550_00, 0, 1667_78, "CJK3FL5BBF", "01711111111", "", at(20, 9, 15)},
	},
	"bKash sent": {
		Bkash, "Send Money Tk 250.00 to 01621161449 successful. Ref 1. Fee Tk 5.00. Balance Tk 862.78. TrxID CJF8BLXLD4 at 15/10/2025 21:02",
		statement{true, 250_00, 5_00, 862_78, "CJF8BLXLD4", "01621161449", "1", at(15, 21, 2)},
	},
	"bKash cashed out": {
		Bkash, "Cash Out Tk 500.00 to 01612345678 successful. Fee Tk 9.25. Balance Tk 608.53. TrxID CJG8BLXLD4 at 15/10/2025 21:05",
		statement{true, 500_00, 9_25, 608_53, "CJG8BLXLD4", "01612345678", "", at(15, 21, 5)},
	},
	"Nagad": {
		Nagad, "Money Received.\nAmount: Tk 156.00\nSender: 01912345678\nRef: N/A\nTxnID: 75KOJBDW\nBalance: Tk 2,156.00\n05/10/2025 14:52",
		statement{false, 156_00, 0, 2156_00, "75KOJBDW", "01912345678", "", at(5, 14, 52)},
	},
	"Nagad with a reference over two lines": {
		Nagad, "Money Received.\nAmount: Tk 156.00\nSender: 01912345678\nRef: my\n" +
			"TxnID: 11111111 Balance: Tk 9.00 05/10/2025 14:52\nTxnID: 75KOJBDW\nBalance: Tk 2,156.00\n05/10/2025 14:52",
		statement{
			false, 156_00, 0, 2156_00, "75KOJBDW", "01912345678", "my TxnID: 11111111 Balance: Tk 9.00 05/10/2025 14:52", at(5, 14, 52),
		},
	},
	"Nagad sent": {
		Nagad, "Money Sent Successful.\nAmount: Tk 100.00\nReceiver: 01712345678\nRef: N/A\n" +
			"TxnID: 75KOJBDX\nFee: Tk 5.00\nBalance: Tk 2,051.00\n05/10/2025 14:55",
		statement{true, 100_00, 5_00, 2051_00, "75KOJBDX", "01712345678", "", at(5, 14, 55)},
	},
}

func TestReadSMS(t *testing.T) {
	t.Parallel()
	for name, tc := range smsCorpus {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stated, understood := readSMS(tc.method, tc.text)
			require.True(t, understood)
			require.Equal(t, tc.stated, stated)
		})
	}
}

// What is not one of the wordings is not understood: an admin reads it.
func TestReadSMS_not_understood(t *testing.T) {
	t.Parallel()
	const received, end = "You have received Tk 500.00 from 01533817247. ", "Fee Tk 0.00. Balance Tk 1,117.78. TrxID CJU0PZQ3U6 at "
	for name, text := range map[string]string{
		"an offer":            "Get Tk 50 cashback on your first payment! TrxID not needed.",
		"no balance":          received + "Fee Tk 0.00. TrxID CJU0PZQ3U6 at 30/10/2025 21:02",
		"nothing received":    "You have received Tk 0.00 from 01533817247. " + end + "30/10/2025 21:02",
		"a date that is none": received + end + "31/02/2025 21:02",
		"text after the end":  received + end + "30/10/2025 21:02 Call 01533817247",
		"text before":         "Hi. " + received + end + "30/10/2025 21:02",
		"too much":            "You have received Tk 999,999,999,999.00 from 01533817247. " + end + "30/10/2025 21:02",
		"another method's":    smsCorpus["Nagad"].text,
		"empty":               "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, understood := readSMS(Bkash, text)
			require.False(t, understood)
		})
	}
}

// FuzzReadSMS: whatever the payer writes as a reference, the SMS states the same payment.
func FuzzReadSMS(f *testing.F) {
	for _, tc := range smsCorpus {
		f.Add(tc.stated.Reference)
		f.Add(tc.text)
	}
	f.Fuzz(func(t *testing.T, reference string) {
		for method, texts := range map[string][2]string{
			Bkash: {"You have received Tk 10.00 from 01533817247. Ref ", ". " +
				"Fee Tk 0.00. Balance Tk 1,127.78. TrxID CJU0PZQ3U6 at 30/10/2025 21:02"},
			Nagad: {"Money Received.\nAmount: Tk 10.00\nSender: 01533817247\nRef: ", "\n" +
				"TxnID: CJU0PZQ3U6\nBalance: Tk 1,127.78\n30/10/2025 21:02"},
		} {
			s, understood := readSMS(method, texts[0]+reference+texts[1])
			require.True(t, understood)
			require.Equal(t, []any{money.Poisha(10_00), money.Poisha(1127_78), "CJU0PZQ3U6", "01533817247", at(30, 21, 2)},
				[]any{s.Amount, s.Balance, s.TransactionID, s.Party, s.At})
		}
	})
}
