import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.util.Arrays;

/** Sets a pet's quantity in the inventory. Usage: java -cp 'target/dependency/*' SetQuantity.java PET_ID QUANTITY */
public class SetQuantity {
  record InventoryItem(long petId, long quantity, String status) {}

  static final String API_KEY = System.getenv("PETSTORE_API_KEY");
  static final ObjectMapper JSON = new ObjectMapper();

  /** Repeats a request after a 429, a 5xx, a network error or a list that was cut off, but not after another 4xx. */
  static <T> T call(String method, String path, String body, Class<T> type, int attempt) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(System.getenv("PETSTORE_BASE_URL") + path))
        .header("Authorization", "Bearer " + API_KEY)
        .header("Content-Type", "application/json")
        .timeout(java.time.Duration.ofSeconds(330))
        .method(method, HttpRequest.BodyPublishers.ofString(body))
        .build();
    double wait = (1 << attempt) * (0.5 + Math.random() / 2);
    try {
      var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      int status = response.statusCode();
      if (status == 200) {
        return JSON.readValue(response.body(), type); // Throws if a list ends without its closing bracket.
      }
      if (attempt == 4 || (status < 500 && status != 429)) {
        throw new IllegalStateException(status + " " + response.body());
      }
      wait = response.headers().firstValue("Retry-After").map(Double::valueOf).orElse(wait);
    } catch (IOException cutOff) {
      if (attempt == 4) throw cutOff;
    }
    Thread.sleep((long) (1000 * wait));
    return call(method, path, body, type, attempt + 1);
  }

  public static void main(String[] args) throws Exception {
    if (!API_KEY.matches("\\w+")) throw new IllegalArgumentException("PETSTORE_API_KEY must be a key.");
    var inventory = call("GET", "/inventory", "", InventoryItem[].class, 0);
    var entry = Arrays.stream(inventory).filter(item -> item.petId() == Long.parseLong(args[0])).findFirst().orElseThrow();
    var update = "{\"quantity\":" + Long.parseLong(args[1]) + "}";
    var updated = call("PATCH", "/inventory/" + entry.petId(), update, InventoryItem.class, 0);
    System.out.println(JSON.writeValueAsString(updated));
  }
}
