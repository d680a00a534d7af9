package api

import (
	"fmt"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Examples of the document are made from the schemas, so that they cannot name a field that does not exist or leave one out. What is
// said below is only what a schema cannot know: a likely value for a field of that name.

const (
	sampleID   = "019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"
	sampleTime = "2026-01-31T09:30:00Z"
	sampleDay  = "2026-01-31"
	samplePNG  = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
)

//nolint:gosec // the passwords and tokens here open nothing
var sampleTexts = map[string]string{
	"action": "deposit_approved", "address": "203.0.113.7", "comment": "Everything as agreed, and fast.", "currentPassword": "river-stone-42",
	"date": sampleDay, "dealId": sampleID, "postId": sampleID, "before": sampleID, "user": sampleID, "actorId": sampleID,
	"buyerId": sampleID, "sellerId": sampleID, "userId": sampleID, "receiverId": sampleID, "conversationId": sampleID, "reviewedUser": sampleID,
	"description": "A cooking channel with 12,000 subscribers.", "email": "rahim@example.com", "startDate": "2026-01-01", "endDate": sampleDay,
	"from": "2026-01-01", "to": sampleDay, "image": "/api/images/" + sampleID, "profilePic": "/api/images/" + sampleID,
	"issueDescription": "The seller has not handed over the channel.", "kind": "deal_paid", "lastMessage": "Is it still for sale?",
	"dealDescription": "A cooking channel with 12,000 subscribers.", "link": "/deal/" + sampleID, "message": "Done.", "name": "Rahim Uddin", "newPassword": "river-stone-43", "number": "01700000001",
	"password": "river-stone-42", "phonenumber": "01712345678", "reason": "The payment was of another amount.", "referralCode": "K7M2PQ9X",
	"reportedBy": "rahim", "seed": "7f3a91c2", "senderName": "rahim", "sentBy": "rahim", "status": "Pending",
	"subcategory": "YouTube Channel", "subject": "deal:" + sampleID, "tags": "cooking", "text": "Is it still for sale?",
	"title": "Cooking channel", "token": "Vb1nYk3sQ0e7T9uWxZ2c4d6f8g", "transactionId": "AB12CD34EF", "type": "deal_paid",
	"userAgent": "Mozilla/5.0 (Android 15; Mobile)", "username": "rahim", "query": "rah", "search": "cooking", keyHeader: "5f0c9a4e-pay-1",
}

var sampleNumbers = map[string]float64{
	"amount": 500, "averageRating": 4.8, "balanceAfter": 399.99, "claimedAmount": 500, "convertedAmount": 60500, "deliveryDuration": 7,
	"fee": 2, "inEscrow": 100.01, "inspectionDays": 3, "limit": 10, "opening": 0, "payout": 98.01, "pendingWithdrawal": 50.5, "price": 100.01,
	"rate": 121, "rating": 5, "referralEarnings": 12.34, "requestsLeft": 3, "sameTransactionId": 0, "successScore": 96, "totalPrice": 100.01,
	"totalDepositAmount": 500, "totalDeposited": 500, "totalEarnings": 1.02, "totalWithdrawAmount": 50.5, "totalWithdrawn": 50.5,
	"usdOffset": 45499, "usdToBdt": 120.25, "userOffset": 12499, "wallet": 399.99, "days": 30, "total": 1, "pages": 1, "page": 1,
	"_id": 1, "activeDeals": 1, "completed": 1, "completedDeals": 1, "count": 1, "eventSeq": 42, "currentPage": 1, "finishedDeals": 1, "reviewCount": 1,
	"totalDeals": 1, "totalPages": 1, "totalReferred": 1, "totalUsers": 1, "openDeals": 0, "cancelledDeals": 0, "sessions": 1,
}

// sampleFlags are true in examples; all others are false.
var sampleFlags = []string{"success", "isVerified", "isRead", "enabled", "current", "hasUnread", "mailNotices"}

// told are the fields that may be null and are not in examples. A new deal or request has no more of them.
var told = []string{"averageRating", "successScore", "referredBy", "enabled"}

// exemplar makes examples from schemas.
type exemplar struct {
	schemas huma.Registry
	sent    bool // of what clients send: with optional fields, and images as data URLs
}

// of returns an example of a field of that name. It panics when the field has no likely value: one has to be added above.
func (x exemplar) of(field string, schema *huma.Schema) any {
	if schema.Ref != "" {
		schema = x.schemas.SchemaFromRef(schema.Ref)
	}
	switch {
	case schema.Nullable && !slices.Contains(told, field), slices.ContainsFunc(schema.OneOf, isNull):
		return nil
	case len(schema.Enum) > 0:
		return schema.Enum[0]
	case schema.Format == "uuid":
		return sampleID
	case schema.Format == "date-time":
		return sampleTime
	case schema.Type == huma.TypeObject:
		return x.object(schema)
	case schema.Type == huma.TypeArray:
		return []any{x.of(field, schema.Items)}
	case schema.Type == huma.TypeBoolean:
		return slices.Contains(sampleFlags, field)
	}
	return x.scalar(field, schema)
}

func isNull(schema *huma.Schema) bool { return schema.Type == "null" }

func (x exemplar) object(schema *huma.Schema) map[string]any {
	example := map[string]any{}
	for name, property := range schema.Properties {
		if x.sent || slices.Contains(schema.Required, name) {
			example[name] = x.of(name, property)
		}
	}
	return example
}

func (x exemplar) scalar(field string, schema *huma.Schema) any {
	if schema.Type == huma.TypeString {
		if text, known := sampleTexts[field]; known {
			if x.sent && strings.HasPrefix(text, "/api/images/") {
				return samplePNG
			}
			return text
		}
		if field == "referredBy" {
			return sampleTexts["referralCode"]
		}
	} else if number, known := sampleNumbers[field]; known {
		return number
	}
	panic(fmt.Sprintf("api: no example for a field %q of type %s", field, schema.Type))
}

// documentExamples gives an example of each request, parameter and success.
func (s *Server) documentExamples(operation *huma.Operation) {
	schemas := s.huma.OpenAPI().Components.Schemas
	sent, answered := exemplar{schemas: schemas, sent: true}, exemplar{schemas: schemas}
	for _, parameter := range operation.Parameters {
		parameter.Example = sent.of(parameter.Name, parameter.Schema)
	}
	if operation.RequestBody != nil {
		for _, content := range operation.RequestBody.Content {
			content.Example = sent.of("", content.Schema)
		}
	}
	for _, response := range operation.Responses {
		for _, content := range response.Content {
			content.Example = answered.of("", content.Schema)
		}
	}
}
