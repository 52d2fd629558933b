package dev.medley.connect.salesforce.call;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Makes calls to an org: with a token that is renewed once where the org takes it no more, within
 * the budget, again after a rest where that is safe, and never without a deadline.
 *
 * <p>Thread: any.
 */
public final class SalesforceCalls {
    private static final Set<Integer> PASSING = Set.of(429, 500, 502, 503, 504);
    private static final Set<String> FORBIDDEN =
            Set.of(
                    "INSUFFICIENT_ACCESS",
                    "API_DISABLED_FOR_ORG",
                    "API_CURRENTLY_DISABLED",
                    "INVALID_LOGIN",
                    "INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY");

    private final SalesforceLogin login;
    private final CallBudget budget;
    private final Waits waits;
    private final HttpClient client;
    private @Nullable AccessToken token;

    /** Asks nothing yet. */
    public SalesforceCalls(SalesforceLogin login, CallBudget budget, Waits waits) {
        this.login = login;
        this.budget = budget;
        this.waits = waits;
        this.client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(waits.call())
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .build();
    }

    /** How long it waits. */
    public Waits waits() {
        return waits;
    }

    /** The id of the org that lets the user in; a refreshed sandbox has another one. */
    public String org() throws IOException {
        return token().org();
    }

    /** Does something with a token, such as a call that is none of REST. */
    @FunctionalInterface
    public interface Authorized<T> {
        /** Throws {@link TokenRefused} where the token is no longer good. */
        T with(AccessToken token) throws IOException;
    }

    /** Does it, and once more with a new token where the first one is no longer good. */
    public <T> T authorized(Authorized<T> use) throws IOException {
        AccessToken first = token();
        try {
            return use.with(first);
        } catch (TokenRefused e) {
            forget(first);
        }
        try {
            return use.with(token());
        } catch (TokenRefused e) {
            throw noTokenTaken(e);
        }
    }

    private ConfigException noTokenTaken(IOException cause) {
        return new ConfigException(
                "%s lets %s in and then takes no token: check that the user may use the API"
                        .formatted(login.loginUrl(), login.user()),
                cause);
    }

    /** An answer that is no refusal: 2xx, or 300 where several records match. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Reply(int status, byte[] body, Optional<String> locator, Optional<Long> rows) {
        /** Its body as JSON. */
        public JsonNode json() throws IOException {
            try {
                return Json.parse(body, JsonNode.class);
            } catch (JacksonException e) {
                throw new IOException(
                        "Salesforce's answer is no JSON: " + e.getOriginalMessage(), e);
            }
        }

        /** Its body as a text. */
        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** Makes a call whose answer is JSON. */
    public JsonNode json(OrgCall call) throws IOException {
        return send(call).json();
    }

    /** Makes a call. */
    public Reply send(OrgCall call) throws IOException {
        boolean isLong = call.body().length > 1 << 20;
        return send(call, null, isLong ? waits.page() : waits.call());
    }

    /** Puts the answer into {@code file}, which is whole when this returns. */
    public Reply download(OrgCall call, Path file) throws IOException {
        return send(call, file, waits.page());
    }

    private Reply send(OrgCall call, @Nullable Path file, Duration longest) throws IOException {
        boolean isFresh = false;
        for (int tries = 1; ; tries++) {
            boolean isLast = tries >= waits.tries() || call.repeat() == OrgCall.Repeat.UNSAFE;
            try {
                return once(call, file, longest);
            } catch (SalesforceRefusal e) {
                if (e.status() == 401 && !isFresh) {
                    isFresh = true;
                    continue;
                }
                if (e.status() == 401) {
                    throw noTokenTaken(e);
                }
                if (isLast || !PASSING.contains(e.status())) {
                    throw e;
                }
            } catch (LimitReached e) {
                throw e;
            } catch (IOException e) {
                if (isLast || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
            waits.backOff(tries);
        }
    }

    private Reply once(OrgCall call, @Nullable Path file, Duration longest) throws IOException {
        AccessToken with = token();
        try {
            budget.take(() -> callsLeft(with));
            return exchange(with, call, file, longest);
        } catch (SalesforceRefusal e) {
            if (e.status() == 401) {
                forget(with);
            }
            throw e;
        }
    }

    private long callsLeft(AccessToken with) throws IOException {
        JsonNode limits = exchange(with, OrgCall.get("/limits"), null, waits.call()).json();
        return limits.path("DailyApiRequests").path("Remaining").asLong(0);
    }

    private Reply exchange(AccessToken with, OrgCall call, @Nullable Path file, Duration longest)
            throws IOException {
        String base =
                call.path().startsWith("/services") ? "" : "/services/data/v" + login.version();
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(with.instanceUrl() + base + call.path()))
                        .timeout(longest)
                        .header("Authorization", "Bearer " + with.token())
                        .header("Content-Type", call.contentType())
                        .header("Accept", "*/*")
                        .method(call.method(), HttpRequest.BodyPublishers.ofByteArray(call.body()))
                        .build();
        HttpResponse<byte[]> response = answer(request, body(file), longest, call.words());
        if (response.statusCode() / 100 == 2 || response.statusCode() == 300) {
            return new Reply(
                    response.statusCode(),
                    response.body(),
                    response.headers().firstValue("Sforce-Locator").filter(l -> !l.equals("null")),
                    response.headers()
                            .firstValue("Sforce-NumberOfRecords")
                            .flatMap(SalesforceCalls::count));
        }
        throw refusal(response, call);
    }

    private static Optional<Long> count(String text) {
        return text.matches("\\d{1,15}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
    }

    private static BodyHandler<byte[]> body(@Nullable Path file) {
        return answer ->
                file != null && answer.statusCode() == 200
                        ? BodySubscribers.mapping(BodySubscribers.ofFile(file), path -> new byte[0])
                        : BodySubscribers.ofByteArray();
    }

    private HttpResponse<byte[]> answer(
            HttpRequest request, BodyHandler<byte[]> body, Duration longest, String what)
            throws IOException {
        CompletableFuture<HttpResponse<byte[]>> coming = client.sendAsync(request, body);
        try {
            return coming.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw silent(what, longest, e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof HttpTimeoutException) { // The client's own clock was first.
                throw silent(what, longest, cause);
            }
            throw new IOException(
                    "%s: the connection to %s failed: %s"
                            .formatted(what, request.uri().getHost(), cause.getMessage()),
                    cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(what + ": interrupted", e);
        } finally {
            boolean unused = coming.cancel(true);
        }
    }

    private static IOException silent(String what, Duration longest, Throwable cause) {
        return new IOException(
                "%s: no answer of Salesforce within %d s".formatted(what, longest.toSeconds()),
                cause);
    }

    private IOException refusal(HttpResponse<byte[]> response, OrgCall call) {
        String code = "";
        String said = "";
        try {
            JsonNode json = Json.parse(response.body(), JsonNode.class);
            JsonNode first = json.isArray() && !json.isEmpty() ? json.get(0) : json;
            code = first.path("errorCode").asString("");
            said = first.path("message").asString("");
        } catch (JacksonException e) {
            said = "(no JSON)"; // From a proxy; its words are not Salesforce's.
        }
        if (code.equals("REQUEST_LIMIT_EXCEEDED")) {
            return budget.orgIsUsedUp(said);
        }
        if (response.statusCode() == 403 && FORBIDDEN.contains(code)) {
            throw new ConfigException(
                    "%s may not do this in Salesforce (%s, %s): give the user the rights for the API and"
                                    .formatted(login.user(), call.words(), said)
                            + " the object");
        }
        return new SalesforceRefusal(response.statusCode(), code, said, call.words());
    }

    private synchronized AccessToken token() throws IOException {
        if (token == null) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(login.loginUrl() + AccessToken.PATH))
                            .timeout(waits.call())
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(
                                    HttpRequest.BodyPublishers.ofString(
                                            AccessToken.form(login, waits.clock().wallMillis())))
                            .build();
            HttpResponse<byte[]> answer = answer(request, body(null), waits.call(), "login");
            token = AccessToken.answered(login, answer.statusCode(), answer.body());
        }
        return token;
    }

    /** Unless another thread got a new one meanwhile. */
    private synchronized void forget(AccessToken old) {
        if (old.equals(token)) {
            token = null;
        }
    }
}
