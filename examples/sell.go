// Sells one of a pet, once, however often it is started. Usage: go run sell.go PET_ID ORDER
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

var deadline = time.Now().Add(10 * time.Minute)

// A list takes up to a minute.
var client = http.Client{Timeout: 70 * time.Second}

func newRequest(method, path, body string) *http.Request {
	request, err := http.NewRequest(method, os.Getenv("PETSTORE_BASE_URL")+path, strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PETSTORE_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	return request
}

// send sends a request, again and unchanged, until a status decides. It reads that response's JSON
// into result.
func send(request *http.Request, result any, decisive ...int) {
	wait := time.Duration(0)
	for pause := 1; time.Now().Add(wait).Before(deadline); pause = min(2*pause, 8) {
		time.Sleep(wait)
		retryAfter, err := attempt(request, result, decisive)
		if err == nil {
			return
		}
		wait = time.Duration(max(pause, retryAfter))*time.Second + rand.N(time.Second)
		log.Printf("%v (again in %.1f s)", err, wait.Seconds())
	}
	log.Fatal("It may be sold or not. Run me again with the same arguments.")
}

// attempt sends a request once. It returns why to send it again, and the seconds in Retry-After.
func attempt(request *http.Request, result any, decisive []int) (retryAfter int, err error) {
	request.Body, _ = request.GetBody()
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err
	}
	status := response.StatusCode
	// Without the key, this is not the service's response, or a proxy has dropped the key.
	isOurs := response.Header.Get("Idempotency-Key") == request.Header.Get("Idempotency-Key")
	if slices.Contains(decisive, status) && isOurs {
		return 0, json.Unmarshal(body, result)
	}
	if status != 408 && status != 429 && status < 500 {
		log.Fatalf("Stopped by %d: %s", status, body)
	}
	retryAfter, _ = strconv.Atoi(response.Header.Get("Retry-After"))
	return retryAfter, fmt.Errorf("%d %s", status, body)
}

func sell(petID int64, order string) {
	for number := 1; ; number++ {
		var inventory []struct {
			PetID, Quantity int64
			Status          string
		}
		send(newRequest("GET", "/inventory", ""), &inventory, 200)

		// Unless it is for sale, an earlier run may have sold it: ask what became of this try. No pet
		// has so many, so this changes nothing. It is random, so that no earlier answer is repeated.
		isForSale, before, after := false, 1<<53+rand.Int64N(9e14), int64(0)
		for _, entry := range inventory {
			if entry.PetID == petID && entry.Status == "available" && entry.Quantity > 0 {
				isForSale, before, after = true, entry.Quantity, entry.Quantity-1
			}
		}
		update := newRequest("PATCH", fmt.Sprintf("/inventory/%d", petID), fmt.Sprintf(`{"quantity":%d}`, after))
		update.Header.Set("Idempotency-Key", fmt.Sprintf("%s-%d", order, number))
		update.Header.Set("If-Match", fmt.Sprintf(`"%d-available"`, before))
		var answer struct{ Code string }
		send(update, &answer, 200, 404, 412, 422)
		if answer.Code == "" || answer.Code == "already_applied" {
			fmt.Printf("Sold one of pet %d to %s.\n", petID, order)
			return
		}
		if answer.Code != "already_refused" && !isForSale {
			log.Fatalf("Not sold: pet %d is not available.", petID)
		}
		// This try was refused, and cannot sell any more.
	}
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("Usage: go run sell.go PET_ID ORDER")
	}
	petID, err := strconv.ParseInt(os.Args[1], 10, 64)
	if err != nil {
		log.Fatal(err)
	}
	sell(petID, os.Args[2])
}
