package api

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
)

func (s *Server) registerReceipts() {
	registerFile(s, endpoint{
		id: "deal-receipt", method: http.MethodGet, path: "/deals/{id}/receipt", tag: "Deals",
		summary: "Download the receipt of a deal that has been paid",
		codes:   []fault.Code{fault.NotFound, fault.Conflict},
	}, pdfType, s.dealReceipt)
	registerFile(s, endpoint{
		id: "deposit-receipt", method: http.MethodGet, path: "/deposits/{id}/receipt", tag: walletTag,
		summary: "Download the receipt of one's own deposit that has been credited",
		codes:   []fault.Code{fault.NotFound, fault.Conflict},
	}, pdfType, s.depositReceipt)
}

// ReceiptInput is the path and the query of a receipt.
type ReceiptInput struct {
	IDPath
	FileLanguage
}

// receiptNumber is the number of the receipt of a deal or deposit: the end of its id, which is
// random, so that no number tells how many there are.
func receiptNumber(letter string, id uuid.UUID) string {
	digits := strings.ToUpper(id.String()[24:])
	return fmt.Sprintf("%s-%s-%s-%s", letter, digits[:4], digits[4:8], digits[8:])
}

func (s *Server) dealReceipt(ctx context.Context, in *ReceiptInput) (*download, error) {
	lang, err := in.read()
	if err != nil {
		return nil, err
	}
	d, err := s.deals.Get(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	if d.ActivatedAt == nil {
		return nil, fault.New(fault.Conflict, "receipt_unpaid", "A deal has a receipt once it has been paid.")
	}
	number := receiptNumber("D", d.ID)
	p := s.newPaper(lang, catalog.ReceiptTitle)
	p.y -= 18
	p.fact(catalog.ReceiptNumber, number)
	p.fact(catalog.StatementDeal, d.Description)
	p.fact(catalog.ReceiptBuyer, d.Buyer.Username)
	p.fact(catalog.ReceiptSeller, d.Seller.Username)
	p.fact(catalog.ReceiptPaid, p.moment(*d.ActivatedAt))
	p.fact(catalog.ReceiptPrice, p.dollars(d.Price.String()))
	dealOutcome(p, d.Deal)
	return receipt(p, number)
}

// dealOutcome sets what became of the money of a closed deal.
func dealOutcome(p *paper, d deals.Deal) {
	if d.ClosedAt == nil {
		return
	}
	status := catalog.ReceiptCancelled
	if d.Status == deals.Completed {
		status = catalog.ReceiptCompleted
		p.fact(catalog.ReceiptFee, p.dollars(d.FeeTaken().String()))
		p.fact(catalog.ReceiptPayout, p.dollars(d.Payout().String()))
	}
	if d.Refunded != nil {
		p.fact(catalog.ReceiptRefund, p.dollars(d.Refunded.String()))
		if kept := d.Price - *d.Refunded; kept > 0 && d.Status != deals.Completed {
			p.fact(catalog.ReceiptKept, p.dollars(kept.String()))
		}
	}
	p.fact(catalog.ReceiptClosed, p.moment(*d.ClosedAt))
	p.fact(catalog.ReceiptStatus, p.text(status, nil))
}

func (s *Server) depositReceipt(ctx context.Context, in *ReceiptInput) (*download, error) {
	lang, err := in.read()
	if err != nil {
		return nil, err
	}
	d, err := s.wallet.OwnDeposit(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	if d.Status != wallet.DepositCompleted || d.HandledAt == nil {
		return nil, fault.New(fault.Conflict, "receipt_uncredited", "A deposit has a receipt once it has been credited.")
	}
	number := receiptNumber("P", d.ID)
	p := s.newPaper(lang, catalog.ReceiptTitle)
	p.y -= 18
	p.fact(catalog.ReceiptNumber, number)
	p.fact(catalog.ReceiptUser, actor(ctx).Username)
	p.fact(catalog.StatementMethod, catalog.MethodName(lang, d.Method))
	p.fact(catalog.StatementReference, d.TransactionID)
	p.fact(catalog.ReceiptReported, p.moment(d.CreatedAt))
	p.fact(catalog.ReceiptCredited, p.dollars(d.Amount.String()))
	p.fact(catalog.ReceiptSent, p.text(catalog.StatementTaka, catalog.Params{"taka": d.ConvertedAmount.String()}))
	p.fact(catalog.ReceiptCreditedAt, p.moment(*d.HandledAt))
	return receipt(p, number)
}

func receipt(p *paper, number string) (*download, error) {
	data, err := p.close()
	if err != nil {
		return nil, fmt.Errorf("receipt: %w", err)
	}
	return file("amanat-"+number+".pdf", pdfType, data), nil
}
