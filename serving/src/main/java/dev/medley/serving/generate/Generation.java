package dev.medley.serving.generate;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.host.ServedModel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Goes on with one text, and writes it: at the end, or as server-sent events.
 *
 * <p>Thread: one.
 */
final class Generation {
    private final ServedModel model;
    private final GenerateRequest asked;
    private final To to;
    private final Clock clock;
    private final StopTexts stops;
    private final StringBuilder whole = new StringBuilder();
    private boolean hasBegun;
    private int tokens;

    /**
     * Where the text goes.
     *
     * @param isStream whether piece by piece
     * @param deadlineNs of the clock, after which nobody waits for it
     */
    record To(HttpResponseWriter out, boolean isStream, long deadlineNs) {}

    Generation(ServedModel model, GenerateRequest asked, To to, Clock clock) {
        this.model = model;
        this.asked = asked;
        this.to = to;
        this.clock = clock;
        this.stops = new StopTexts(asked.stop());
    }

    /** Tokens so far. */
    int tokens() {
        return tokens;
    }

    /**
     * Generates and writes. What goes wrong after the first event is an event, too.
     *
     * @param failures what to tell of something that was thrown
     */
    void run(Function<Throwable, ServingFailure> failures) {
        requireTime();
        try {
            model.model().generate(asked.text(), asked.how(), this::add);
        } catch (RuntimeException e) {
            if (hasBegun) { // The status is gone.
                event(Map.of("error", failure(e, failures).sentence()));
                to.out().close();
            }
            throw e;
        }
        String rest = stops.isStopped() ? "" : stops.rest();
        String reason = stops.isStopped() ? "stop_sequence" : "length";
        if (to.isStream()) {
            event(said(rest, reason));
        } else {
            begin(MediaType.JSON);
            write(to.out(), HttpData.wrap(Json.bytes(said(whole + rest, reason))));
        }
        to.out().close();
    }

    /** A prompt that the model does not know is the caller's trouble. */
    static ServingFailure failure(Throwable thrown, Function<Throwable, ServingFailure> otherwise) {
        return thrown instanceof ConfigException
                ? ServingFailure.invalid("%s", thrown.getMessage())
                : otherwise.apply(thrown);
    }

    private boolean add(String piece) {
        tokens++;
        requireTime();
        String free = stops.add(piece);
        if (!to.isStream()) {
            whole.append(free);
        } else if (!free.isEmpty()) {
            event(said(free, null));
        }
        return !stops.isStopped();
    }

    private void requireTime() {
        if (!to.out().isOpen()) {
            throw new CancellationException("the caller is gone");
        }
        if (clock.nowNs() - to.deadlineNs() > 0) {
            throw new ServingFailure(Kind.LATE, "the time for this request is over");
        }
    }

    private Map<String, Object> said(String text, @Nullable String reason) {
        Map<String, Object> all = new LinkedHashMap<>();
        if (!asked.id().isEmpty()) {
            all.put("id", asked.id());
        }
        all.put("model_name", model.name().name());
        all.put("model_version", model.name().version());
        all.put("text_output", text);
        if (reason != null) {
            all.put("finish_reason", reason);
        }
        return all;
    }

    private void event(Map<String, Object> data) {
        if (!hasBegun) {
            hasBegun = true;
            begin(MediaType.EVENT_STREAM);
        }
        write(to.out(), HttpData.ofUtf8("data: " + Json.line(data) + "\n\n"));
    }

    private void begin(MediaType type) {
        ResponseHeaders ok = ResponseHeaders.of(HttpStatus.OK);
        write(to.out(), ok.withMutations(h -> h.contentType(type)));
    }

    /** A caller that is gone is noticed at the next token. */
    static void write(HttpResponseWriter out, HttpObject part) {
        boolean unused = out.tryWrite(part);
    }
}
