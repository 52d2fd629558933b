package dev.medley.connect.salesforce.event;

import dev.medley.connect.salesforce.call.AccessToken;
import dev.medley.connect.salesforce.call.SalesforceCalls;
import dev.medley.connect.salesforce.call.Waits;
import dev.medley.connect.salesforce.event.ChangeNews.Reach;
import dev.medley.connect.salesforce.event.PubSubMessages.Came;
import dev.medley.connect.salesforce.event.PubSubMessages.Fetched;
import dev.medley.connect.salesforce.event.PubSubMessages.Topic;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the change events of one object: where its stream stands, and what it told since a place.
 *
 * <p>All are read when Salesforce says so by an answer without events, which it gives within 270
 * seconds; or when the newest record by its stamp is among those of which events told and then
 * nothing came for a while. Events that come later come with the next sync, since the place is
 * behind the last one that was read.
 *
 * <p>Thread: that of the sync.
 */
public final class ChangeEvents implements AutoCloseable {
    private static final int MOST_AT_ONCE = 100;
    private static final int MOST_CONNECTIONS = 100;
    private static final int MOST_SCHEMAS = 1_000;

    private final SalesforceCalls calls;
    private final String object;
    private final String topic;
    private final ChangeEventOptions options;
    private final PubSubClient client;
    private final Map<String, HeaderDecoder> decoders = new HashMap<>();

    /** Of {@code object}, by its API name; asks nothing yet. */
    public ChangeEvents(SalesforceCalls calls, String object, ChangeEventOptions options) {
        this.calls = calls;
        this.object = object;
        this.topic = topic(object);
        this.options = options;
        this.client = new PubSubClient(options.address(), calls.waits().call());
    }

    /** An own object's events are called as itself is, but for the last letter. */
    static String topic(String object) {
        return object.endsWith("__c")
                ? "/data/%sChangeEvent".formatted(object.substring(0, object.length() - 1))
                : "/data/%sChangeEvent".formatted(object);
    }

    /** Where the stream stands now; what changes from now on comes behind it. */
    public ChangeNews tip(@Nullable NewestRecord newest) throws IOException {
        return read(null, newest);
    }

    /**
     * What changed since a place.
     *
     * @param newest record of the object, seen before this is asked; null where there is none
     */
    public ChangeNews since(ReplayPosition last, @Nullable NewestRecord newest) throws IOException {
        if (!last.topic().equals(topic)) {
            return ChangeNews.all(
                    "events are of %s, no longer of %s".formatted(topic, last.topic()));
        }
        return read(last, newest);
    }

    private ChangeNews read(@Nullable ReplayPosition since, @Nullable NewestRecord newest)
            throws IOException {
        ChangeStream stream;
        try {
            stream = new ChangeStream(topic, since, newest);
        } catch (IllegalArgumentException e) { // No Base64: from another build.
            return ChangeNews.all("the place in the events is none, so all records are read");
        }
        Waits waits = calls.waits();
        int tries = 1;
        for (int connections = 1; ; connections++) {
            long before = stream.events();
            try {
                return calls.authorized(token -> attempt(stream, token));
            } catch (PubSubFailure e) {
                ChangeNews instead = instead(e, since);
                if (instead != null) {
                    return instead;
                }
                tries = stream.events() > before ? 1 : tries + 1;
                boolean isLast = tries > waits.tries() || connections >= MOST_CONNECTIONS;
                if (!e.isPassing() || isLast || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
            waits.backOff(tries - 1);
        }
    }

    /** What is done where events are not to be had; null where that is trouble. */
    private @Nullable ChangeNews instead(PubSubFailure e, @Nullable ReplayPosition since) {
        if (e.isNoTopic()) {
            return ChangeNews.none(
                    ("Salesforce has no %s: select %s in Setup, Change Data Capture, or take events"
                                    + " out of the source")
                            .formatted(topic, object));
        }
        if (e.isForbidden()) {
            return ChangeNews.none(forbidden());
        }
        if (e.isUsedUp()) {
            return new ChangeNews(
                    Reach.STAMPS_TOO,
                    Map.of(),
                    since,
                    "the org's events of 24 hours are used up (subscription.limit.exceeded)");
        }
        return e.isExpired() && since != null
                ? ChangeNews.all(
                        "Salesforce no longer has the events since the last sync, which it keeps"
                                + " for 72 hours, so all records are read")
                : null;
    }

    private String forbidden() {
        return ("the user may not read %s: give the user View All Records of %s, or take events out"
                        + " of the source")
                .formatted(topic, object);
    }

    private ChangeNews attempt(ChangeStream stream, AccessToken token) throws IOException {
        Topic said =
                PubSubMessages.topic(client.unary("GetTopic", PubSubMessages.naming(topic), token));
        if (!said.canSubscribe()) {
            return ChangeNews.none(forbidden());
        }
        try (PubSubCall call = client.open("Subscribe", token)) {
            long beganMillis = calls.waits().clock().wallMillis();
            call.send(PubSubMessages.fetch(topic, stream.replay(), MOST_AT_ONCE));
            while (!stream.isOver()) {
                boolean mayEnd = mayEnd(stream);
                byte[] message =
                        call.next((mayEnd ? options.quiet() : options.patience()).toNanos());
                if (message == null && mayEnd) {
                    break;
                }
                if (message == null) {
                    throw silent();
                }
                if (take(stream, message, call, token) >= beganMillis && stream.isCovered()) {
                    break; // What happened since this sync began is the next one's.
                }
            }
            return stream.news();
        } catch (PubSubFailure e) {
            throw PubSubClient.translated(e);
        }
    }

    /** Whether silence is enough: not where the place grows old, which a sign alone renews. */
    private boolean mayEnd(ChangeStream stream) {
        long ageMillis = calls.waits().clock().wallMillis() - stream.atMillis();
        return stream.isCovered() && ageMillis < options.renewal().toMillis();
    }

    private IOException silent() {
        return new IOException(
                ("no sign of Salesforce's %s at %s within %d s, though it gives one every 270 s."
                                + " The place is kept; try again, or take events out of the source")
                        .formatted(topic, client.address(), options.patience().toSeconds()));
    }

    /** When the last of a message's events was committed; 0 where it has none. */
    private long take(ChangeStream stream, byte[] message, PubSubCall call, AccessToken token)
            throws IOException {
        long nowMillis = calls.waits().clock().wallMillis();
        Fetched fetched;
        try {
            fetched = PubSubMessages.fetched(message);
            if (fetched.events().isEmpty()) {
                stream.end(fetched.latest(), nowMillis);
                return 0;
            }
        } catch (IOException e) {
            throw damaged(e);
        }
        long committedMillis = 0;
        for (Came event : fetched.events()) {
            HeaderDecoder decoder = decoder(event.schemaId(), token);
            try {
                ChangeEventHeader header = decoder.header(event.payload());
                stream.add(header, event.replay(), nowMillis);
                committedMillis = header.commitMillis();
            } catch (IOException e) {
                throw damaged(e);
            }
        }
        if (fetched.pending() <= 0 && !stream.isOver()) {
            call.send(PubSubMessages.fetch(topic, new byte[0], MOST_AT_ONCE));
        }
        return committedMillis;
    }

    private HeaderDecoder decoder(String schemaId, AccessToken token) throws IOException {
        HeaderDecoder known = decoders.get(schemaId);
        if (known != null) {
            return known;
        }
        if (decoders.size() >= MOST_SCHEMAS) {
            decoders.clear();
        }
        byte[] answer = client.unary("GetSchema", PubSubMessages.naming(schemaId), token);
        try {
            HeaderDecoder decoder = HeaderDecoder.of(PubSubMessages.schema(answer));
            decoders.put(schemaId, decoder);
            return decoder;
        } catch (IOException e) {
            throw damaged(e);
        }
    }

    private IOException damaged(IOException e) {
        return new IOException(
                ("an event of %s from %s cannot be read: %s. The place before it is kept; take"
                                + " events out of the source if that stays")
                        .formatted(topic, client.address(), e.getMessage()),
                e);
    }

    @Override
    public void close() {
        client.close();
    }
}
