package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	client "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Getenv("PETSTORE_BASE_URL")}}
	api := client.NewAPIClient(configuration).InventoryAPI
	key := os.Getenv("PETSTORE_API_KEY")
	ctx := context.WithValue(context.Background(), client.ContextAccessToken, key)
	quantity, _ := strconv.ParseInt(os.Args[2], 10, 64)
	inventory, _, _ := api.ListInventory(ctx).Execute()
	for _, entry := range inventory {
		if strconv.FormatInt(entry.PetId, 10) == os.Args[1] {
			update := client.InventoryUpdate{Quantity: quantity}
			etag := fmt.Sprintf("\"%d-%s\"", entry.Quantity, entry.Status)
			request := api.UpdateInventory(ctx, entry.PetId).InventoryUpdate(update)
			updated, _, _ := request.IfMatch(etag).IdempotencyKey(os.Args[1]).Execute()
			json.NewEncoder(os.Stdout).Encode(updated)
		}
	}
}
