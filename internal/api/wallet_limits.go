package api

import (
	"context"
	"net/http"

	"amanat/internal/domain/trust"
	"amanat/internal/money"
)

func (s *Server) registerWalletLimits() {
	register(s, endpoint{
		id: "wallet-limits", method: http.MethodGet, path: "/wallet/limits", tag: "Wallet",
		summary: "What the user may pay and withdraw, and what they lack for more",
	}, s.walletLimits)
}

// WalletLimits is what a user may pay and withdraw.
type WalletLimits struct {
	Level     string                  `json:"level" enum:"new,basic,established,trusted"`
	PerDeal   *money.Cents            `json:"perDeal" nullable:"true" doc:"USD that a deal may cost; null: no limit." example:"200"`
	Paid      LimitUse                `json:"paid" doc:"Sums of paid deals."`
	Withdrawn LimitUse                `json:"withdrawn" doc:"Sums of withdrawals."`
	Next      Nullable[WalletLimitUp] `json:"next" doc:"The next level; null at the highest, and when nothing is limited."`
}

// LimitUse is a limit for 24 hours and what is used of it.
type LimitUse struct {
	Limit *money.Cents `json:"limit" nullable:"true" doc:"USD in 24 hours; null: no limit." example:"500"`
	Used  money.Cents  `json:"used" doc:"USD in the last 24 hours." example:"120"`
}

// WalletLimitUp is the next level of a user's limits and what they lack for it.
type WalletLimitUp struct {
	Level     string       `json:"level" enum:"basic,established,trusted"`
	PerDeal   *money.Cents `json:"perDeal" nullable:"true" doc:"USD; null: no limit." example:"5000"`
	Paid      *money.Cents `json:"paid" nullable:"true" doc:"USD in 24 hours; null: no limit." example:"15000"`
	Withdrawn *money.Cents `json:"withdrawn" nullable:"true" doc:"USD in 24 hours; null: no limit." example:"1000"`
	Needs     []LimitNeed  `json:"needs" doc:"What is not met yet."`
}

// LimitNeed is a requirement that a user does not meet yet.
type LimitNeed struct {
	Kind string `json:"kind" enum:"account_age,completed_deals,partners,second_factor"`
	Have int    `json:"have" doc:"Days for the age; 0 for what is met or not." example:"0"`
	Need int    `json:"need" example:"1"`
}

func (s *Server) walletLimits(ctx context.Context, _ *struct{}) (*output[WalletLimits], error) {
	seen, err := s.trust.Overview(ctx, actor(ctx).ID)
	if err != nil {
		return nil, err
	}
	wire := WalletLimits{
		Level: string(seen.Level), PerDeal: limitOrNil(seen.Limit.Deal),
		Paid:      LimitUse{limitOrNil(seen.Limit.Paid), seen.Used.Paid},
		Withdrawn: LimitUse{limitOrNil(seen.Limit.Withdrawn), seen.Used.Withdrawn},
	}
	if next := seen.Next; next != nil {
		wire.Next = orNull(&WalletLimitUp{
			Level: string(next.Level), PerDeal: limitOrNil(next.Limit.Deal),
			Paid: limitOrNil(next.Limit.Paid), Withdrawn: limitOrNil(next.Limit.Withdrawn),
			Needs: mapped(next.Needs, func(n trust.Need) LimitNeed { return LimitNeed{string(n.Kind), n.Have, n.Need} }),
		})
	}
	return respond(wire), nil
}

// limitOrNil returns nil for 0, which stands for no limit.
func limitOrNil(amount money.Cents) *money.Cents {
	if amount == 0 {
		return nil
	}
	return &amount
}
