import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sells one of a pet, once, however often it is started. */
public class Sell {
  static final long DEADLINE = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
  static final HttpClient CLIENT = HttpClient.newHttpClient();
  static final ObjectMapper JSON = new ObjectMapper();

  /** Why the program ends, in a sentence. */
  static class Stop extends RuntimeException {
    Stop(String message) {
      super(message);
    }
  }

  static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(System.getenv("PETSTORE_BASE_URL") + path))
        .header("Authorization", "Bearer " + System.getenv("PETSTORE_API_KEY"))
        .header("Content-Type", "application/json");
  }

  /** Sends a request, again and unchanged, until a status decides. Returns that response's JSON. */
  static JsonNode send(HttpRequest request, List<Integer> decisive) throws InterruptedException {
    double wait = 0;
    for (int pause = 1; System.nanoTime() + 1e9 * wait < DEADLINE; pause = Math.min(2 * pause, 8)) {
      Thread.sleep((long) (1_000 * wait));
      String problem, retryAfter = "0";
      try {
        // A list takes up to a minute.
        var response = CLIENT.sendAsync(request, BodyHandlers.ofString()).get(70, TimeUnit.SECONDS);
        int status = response.statusCode();
        // Without the key, this is not the service's response, or a proxy has dropped the key.
        var key = request.headers().firstValue("Idempotency-Key");
        boolean isOurs = response.headers().firstValue("Idempotency-Key").equals(key);
        if (decisive.contains(status) && isOurs) {
          return JSON.readValue(response.body(), JsonNode.class);
        }
        if (status != 408 && status != 429 && status < 500) {
          throw new Stop("Stopped by " + status + ": " + response.body());
        }
        problem = status + " " + response.body();
        retryAfter = response.headers().firstValue("Retry-After").orElse("0");
      } catch (ExecutionException | TimeoutException | IOException error) {
        problem = "No complete response: " + error;
      }
      int asked = retryAfter.matches("\\d{1,9}") ? Integer.parseInt(retryAfter) : 0;
      wait = Math.max(pause, asked) + ThreadLocalRandom.current().nextDouble();
      System.err.printf("%s (again in %.1f s)%n", problem, wait);
    }
    throw new Stop("It may be sold or not. Run me again with the same arguments.");
  }

  static void sell(long petId, String order) throws InterruptedException {
    for (int number = 1; ; number++) {
      // Unless it is for sale, an earlier run may have sold it: ask what became of this try. No pet has
      // so many, so this changes nothing. It is random, so that no earlier answer to it is repeated.
      boolean isForSale = false;
      long before = ThreadLocalRandom.current().nextLong(1L << 53, 10_000_000_000_000_000L);
      long after = 0;
      for (var entry : send(request("/inventory").build(), List.of(200))) {
        long quantity = entry.get("quantity").asLong();
        boolean isAvailable = entry.get("status").asText().equals("available") && quantity > 0;
        if (entry.get("petId").asLong() == petId && isAvailable) {
          isForSale = true;
          before = quantity;
          after = quantity - 1;
        }
      }
      var update =
          request("/inventory/" + petId)
              .header("Idempotency-Key", order + "-" + number)
              .header("If-Match", "\"" + before + "-available\"")
              .method("PATCH", BodyPublishers.ofString("{\"quantity\":" + after + "}"))
              .build();
      var code = send(update, List.of(200, 404, 412, 422)).path("code").asText("applied");
      if (code.equals("applied") || code.equals("already_applied")) {
        System.out.println("Sold one of pet " + petId + " to " + order + ".");
        return;
      }
      if (!code.equals("already_refused") && !isForSale) {
        throw new Stop("Not sold: pet " + petId + " is not available.");
      }
      // This try was refused, and cannot sell any more.
    }
  }

  public static void main(String[] args) throws InterruptedException {
    try {
      if (args.length != 2) {
        throw new Stop("Usage: java -cp 'target/dependency/*' Sell.java PET_ID ORDER");
      }
      sell(Long.parseLong(args[0]), args[1]);
    } catch (Stop stop) {
      System.err.println(stop.getMessage());
      System.exit(1);
    }
  }
}
