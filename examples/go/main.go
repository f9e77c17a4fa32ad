// Sets a pet's quantity in the inventory. Usage: go run . PET_ID QUANTITY
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

type inventoryItem struct {
	PetID    int64  `json:"petId"`
	Quantity int64  `json:"quantity"`
	Status   string `json:"status"`
}

func call(client *retryablehttp.Client, method, path string, body, result any) {
	request, err := retryablehttp.NewRequest(method, os.Getenv("PETSTORE_BASE_URL")+path, body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PETSTORE_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request) // Retries after a 429, a 5xx or a network error.
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(response.Body)
		log.Fatal(response.Status, " ", string(text))
	}
	// Fails if the connection is cut, or if a list ends without its closing bracket.
	if err := json.NewDecoder(response.Body).Decode(result); err != nil {
		log.Fatal(err)
	}
}

// Returns the seconds in Retry-After; without it, 1, 2, 4, then 8, each shortened by a random part.
func backoff(min, max time.Duration, attempt int, response *http.Response) time.Duration {
	wait := retryablehttp.DefaultBackoff(min, max, attempt, response)
	if response != nil && response.Header.Get("Retry-After") != "" {
		return wait
	}
	return wait - rand.N(wait/2)
}

func main() {
	client := retryablehttp.NewClient()
	client.Logger = nil
	client.Backoff = backoff
	client.ErrorHandler = retryablehttp.PassthroughErrorHandler
	var inventory []inventoryItem
	call(client, "GET", "/inventory", nil, &inventory)
	for _, entry := range inventory {
		if strconv.FormatInt(entry.PetID, 10) == os.Args[1] {
			call(client, "PATCH", fmt.Sprintf("/inventory/%d", entry.PetID), []byte(`{"quantity":`+os.Args[2]+`}`), &entry)
			json.NewEncoder(os.Stdout).Encode(entry)
			return
		}
	}
	log.Fatal("No pet ", os.Args[1])
}
