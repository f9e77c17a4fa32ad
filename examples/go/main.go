// Sets the quantity of a pet in the inventory. Usage: go run . PET_ID QUANTITY [ETAG]
// With an ETag, such as '"7-available"', only if the entry has it.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const attempts = 5

var (
	baseURL = os.Getenv("PETSTORE_BASE_URL")
	apiKey  = os.Getenv("PETSTORE_API_KEY")
	client  = http.Client{Timeout: 330 * time.Second}
)

// In a map[string]any, a petId would become a float64 and be rounded.
type inventoryItem struct {
	PetID    int64  `json:"petId"`
	Quantity int64  `json:"quantity"`
	Status   string `json:"status"`
}

// responseError is a response other than 200.
type responseError struct {
	status     int
	text       string
	retryAfter string
}

func (e *responseError) Error() string {
	return fmt.Sprintf("the service responded with %d: %s", e.status, e.text)
}

// send sends a request once and decodes the body of the response into result.
func send(method, path, body, ifMatch string, result any) error {
	request, err := http.NewRequest(method, baseURL+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+apiKey)
	request.Header.Set("Content-Type", "application/json")
	if ifMatch != "" {
		request.Header.Set("If-Match", ifMatch)
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
	if response.StatusCode != http.StatusOK {
		retryAfter := response.Header.Get("Retry-After")
		return &responseError{response.StatusCode, string(text), retryAfter}
	}
	if json.Unmarshal(text, result) != nil {
		return errors.New("the response was cut off or is not valid JSON")
	}
	return nil
}

// mayRepeat says whether a request may be sent again: after a 429 or a 503 always; after another
// 5xx, a network error or a response that was cut off only without If-Match, because the update may
// have been applied. If you use another client than net/http, which repeats no PATCH that it has
// begun to send, switch its retries off.
func mayRepeat(err error, ifMatch string) bool {
	var response *responseError
	if !errors.As(err, &response) {
		return ifMatch == ""
	}
	switch response.status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return true
	default:
		return ifMatch == "" && response.status >= 500
	}
}

// call sends a request, up to five times. It waits for the seconds in Retry-After, or else 1, 2, 4,
// then 8, and a random part of a second.
func call(method, path, body, ifMatch string, result any) error {
	for attempt := 0; ; attempt++ {
		err := send(method, path, body, ifMatch, result)
		if err == nil || attempt+1 == attempts || !mayRepeat(err, ifMatch) {
			return err
		}
		seconds := 1 << attempt
		var response *responseError
		if errors.As(err, &response) {
			if retryAfter, notNumber := strconv.Atoi(response.retryAfter); notNumber == nil {
				seconds = retryAfter
			}
		}
		time.Sleep(time.Duration(seconds)*time.Second + rand.N(time.Second))
	}
}

func setQuantity(petID, quantity, ifMatch string) (inventoryItem, error) {
	var inventory []inventoryItem
	var updated inventoryItem
	if err := call("GET", "/inventory", "", "", &inventory); err != nil {
		return updated, err
	}
	for _, entry := range inventory {
		if strconv.FormatInt(entry.PetID, 10) == petID {
			body := `{"quantity":` + quantity + `}`
			return updated, call("PATCH", "/inventory/"+petID, body, ifMatch, &updated)
		}
	}
	return updated, fmt.Errorf("the inventory has no pet %s", petID)
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

	updated, err := setQuantity(petID, quantity, ifMatch)
	check(err == nil, fmt.Sprintf("Error: %v", err))
	json.NewEncoder(os.Stdout).Encode(updated)
}
