// Sets the quantity of a pet in the inventory. Usage: go run . PET_ID QUANTITY [ETAG]
// With an ETag, such as '"7-available"', only if the entry has it.
package main

import (
	"context"
	cryptorand "crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	// How often a request is sent that has no Idempotency-Key.
	attempts = 5
	// How long a request is sent again that has one: the service promises no more.
	fiveMinutes = 5 * time.Minute
)

var (
	baseURL = os.Getenv("PETSTORE_BASE_URL")
	apiKey  = os.Getenv("PETSTORE_API_KEY")
	client  = http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
)

// In a map[string]any, a petId would become a float64 and be rounded.
type inventoryItem struct {
	PetID    int64  `json:"petId"`
	Quantity int64  `json:"quantity"`
	Status   string `json:"status"`
}

// message is a request, which may be sent several times.
type message struct {
	method, path, body string
	// The condition of an update, if it has one.
	ifMatch, idempotencyKey string
	// Decodes the body of a 200, and says whether it is the one that counts.
	decode func(body []byte) bool
}

// responseError is a response other than a valid 200.
type responseError struct {
	status  int
	problem string
	text    string
	// The Idempotency-Key that took effect.
	key string
	// What the service calls the error; empty if the response is a proxy's.
	code       string
	retryAfter int
}

func (e *responseError) Error() string {
	return fmt.Sprintf("%s: %s", e.problem, e.text)
}

// send sends a request once and decodes the body of the response.
func send(message message) error {
	timeout := 330 * time.Second
	if message.method == "PATCH" {
		timeout = 30 * time.Second
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	body := strings.NewReader(message.body)
	request, err := http.NewRequestWithContext(ctx, message.method, baseURL+message.path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+apiKey)
	request.Header.Set("Content-Type", "application/json")
	if message.ifMatch != "" {
		request.Header.Set("If-Match", message.ifMatch)
		request.Header.Set("Idempotency-Key", message.idempotencyKey)
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	failure := responseError{status: response.StatusCode, text: string(text)}
	failure.key = response.Header.Get("Idempotency-Key")
	if response.StatusCode != http.StatusOK {
		failure.problem = fmt.Sprintf("the service responded with %d", response.StatusCode)
		if found := code.FindSubmatch(text); found != nil {
			failure.code = string(found[1])
		}
		failure.retryAfter, _ = strconv.Atoi(response.Header.Get("Retry-After"))
		return &failure
	}
	if !message.decode(text) {
		return fmt.Errorf("the response was cut off or is not what was asked for: %s", text)
	}
	if failure.key != message.idempotencyKey {
		failure.problem = "the response lacks the Idempotency-Key"
		return &failure
	}
	return nil
}

var code = regexp.MustCompile(`"code": ?"(\w+)"`)

// isTemporary says whether a request may succeed if it is sent again.
func isTemporary(err error) bool {
	var response *responseError
	return !errors.As(err, &response) || response.status == http.StatusRequestTimeout ||
		response.status == http.StatusTooManyRequests || response.status >= 500
}

// isRefused says whether the service says that no attempt with this Idempotency-Key was or will be
// applied.
func isRefused(message message, err error) bool {
	var response *responseError
	refusals := []string{"precondition_failed", "pet_not_found", "idempotency_key_reused"}
	return errors.As(err, &response) && slices.Contains(refusals, response.code) &&
		response.key == message.idempotencyKey
}

// passed returns how long ago a time was, by the clock that is further: the monotonic one stands
// still while the machine sleeps, and the other one is set.
func passed(since time.Time) time.Duration {
	return max(time.Since(since), time.Now().Round(0).Sub(since.Round(0)))
}

// mayRepeat says whether a request may be sent again, after waiting for the seconds in Retry-After,
// or else 1, 2, 4, 8, 8, ..., and a random part of a second. An update with a condition needs an
// Idempotency-Key: without one, it could be applied twice.
func mayRepeat(message message, err error, attempt int, since time.Time) bool {
	isOver := func(wait time.Duration) bool {
		if message.idempotencyKey == "" {
			return attempt >= attempts
		}
		return passed(since)+wait >= fiveMinutes
	}
	seconds := 1 << min(attempt-1, 3)
	var response *responseError
	if errors.As(err, &response) && response.retryAfter > 0 {
		seconds = response.retryAfter
	}
	seconds = min(seconds, int(fiveMinutes.Seconds()))
	wait := time.Duration(seconds)*time.Second + rand.N(time.Second)
	if !isTemporary(err) || isOver(wait) {
		return false
	}
	time.Sleep(wait)
	// The machine may have slept longer.
	return !isOver(0)
}

// isUnknown says whether an update with a condition is under way.
var isUnknown atomic.Bool

const unknown = "it may have been applied: check the entry. "

// call sends a request until a response is final.
func call(message message) error {
	isUnknown.Store(message.ifMatch != "")
	defer isUnknown.Store(false)
	since := time.Now()
	for attempt := 1; ; attempt++ {
		err := send(message)
		if err == nil {
			return nil
		}
		if !mayRepeat(message, err, attempt, since) {
			if message.ifMatch != "" && !isRefused(message, err) {
				err = fmt.Errorf(unknown+"%w", err)
			}
			return err
		}
	}
}

// sayWhenInterrupted ends the program when it is interrupted, and says what it may have done.
func sayWhenInterrupted() {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-interrupts
		if isUnknown.Load() {
			fmt.Fprintln(os.Stderr, "Error: "+unknown+"The program was interrupted.")
		}
		os.Exit(130)
	}()
}

func setQuantity(petID, quantity, ifMatch string) (inventoryItem, error) {
	var inventory []inventoryItem
	var updated inventoryItem
	list := message{method: "GET", path: "/inventory", decode: func(body []byte) bool {
		return json.Unmarshal(body, &inventory) == nil && inventory != nil
	}}
	if err := call(list); err != nil {
		return updated, err
	}
	for _, entry := range inventory {
		if strconv.FormatInt(entry.PetID, 10) == petID {
			body := `{"quantity":` + quantity + `}`
			update := message{method: "PATCH", path: "/inventory/" + petID, body: body}
			update.decode = func(body []byte) bool {
				err := json.Unmarshal(body, &updated)
				return err == nil && updated.Status != "" && updated.PetID == entry.PetID &&
					strconv.FormatInt(updated.Quantity, 10) == quantity
			}
			// Without a condition, the same update may always be repeated.
			if ifMatch != "" {
				update.ifMatch, update.idempotencyKey = ifMatch, newKey()
			}
			err := call(update)
			return updated, err
		}
	}
	return updated, fmt.Errorf("the inventory has no pet %s", petID)
}

// newKey returns a new Idempotency-Key.
func newKey() string {
	key := make([]byte, 16)
	cryptorand.Read(key)
	return hex.EncodeToString(key)
}

func check(isValid bool, message string) {
	if !isValid {
		fmt.Fprintln(os.Stderr, message)
		os.Exit(1)
	}
}

var (
	isPetID    = regexp.MustCompile(`^(0|-?[1-9]\d*)$`).MatchString
	isQuantity = regexp.MustCompile(`^(0|[1-9]\d*)$`).MatchString
	isETag     = regexp.MustCompile(`^("\d+-[a-z]+")?$`).MatchString
	isBaseURL  = regexp.MustCompile(`^https?://[\w.-]+(:\d+)?(/[\w.-]+)*/v1$`).MatchString
	isAPIKey   = regexp.MustCompile(`^\w+$`).MatchString
)

func main() {
	check(len(os.Args) == 3 || len(os.Args) == 4, "Usage: go run . PET_ID QUANTITY [ETAG]")
	petID, quantity, ifMatch := os.Args[1], os.Args[2], strings.Join(os.Args[3:], "")
	check(isPetID(petID), fmt.Sprintf("PET_ID must be an integer, not %q.", petID))
	check(isQuantity(quantity),
		fmt.Sprintf("QUANTITY must be 0 or a positive integer, not %q.", quantity))
	check(isETag(ifMatch),
		fmt.Sprintf("ETAG must be like \"7-available\", with its quotes, not %s.", ifMatch))
	check(isBaseURL(baseURL),
		"Set PETSTORE_BASE_URL to the service's base URL, which ends in /v1.")
	check(isAPIKey(apiKey),
		"Set PETSTORE_API_KEY to an API key, which has only letters, digits and underscores.")

	sayWhenInterrupted()
	updated, err := setQuantity(petID, quantity, ifMatch)
	check(err == nil, fmt.Sprintf("Error: %v", err))
	json.NewEncoder(os.Stdout).Encode(updated)
}
