package dev.medley.loop.continuous;

import dev.medley.base.Json;
import dev.medley.loop.state.LoopState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says where the running model stands, for people: the newest is kept, and no others.
 *
 * @param position how far it came; null where none runs
 * @param foreign rows that wait, as their label is none that the model knows
 * @param lookedMs whose knowledge it has learnt from, milliseconds since 1970
 * @param promisedMs within which a row is to be learnt
 * @param waits why nothing is learnt; empty where it is
 * @param trouble what was wrong last; empty if nothing was
 */
public record RunningStanding(
        @Nullable RunningPosition position,
        long foreign,
        long lookedMs,
        long promisedMs,
        String waits,
        String trouble) {
    private static final String FACT = "running model";

    /** What is known of a loop's; empty where it never had one. */
    public static Optional<RunningStanding> of(LoopState state) {
        return state.fact(FACT).map(node -> Json.bind(node, RunningStanding.class));
    }

    void remember(LoopState state) {
        state.remember(FACT, Json.tree(this));
    }

    /** The same behind a publication. */
    RunningStanding at(RunningPosition now) {
        return new RunningStanding(now, foreign, lookedMs, promisedMs, waits, trouble);
    }

    /** A sentence or a few. */
    public String words() {
        StringBuilder words = new StringBuilder();
        if (position == null) {
            words.append("no model runs");
        } else {
            words.append(
                    "running since %s from version %d on: %,d rows in %,d batches, known until %s; %s"
                            .formatted(
                                    time(position.beganMs()),
                                    position.origin(),
                                    position.rows(),
                                    position.batches(),
                                    lookedMs == 0 ? "the beginning" : time(lookedMs),
                                    position.delays().words(promisedMs)));
            words.append(
                    position.published() == null
                            ? "; not published yet"
                            : "; published as version %d at %s"
                                    .formatted(
                                            position.published(),
                                            time(position.atPublication().atMs())));
            if (position.refused() > 0) {
                words.append(
                        "; %,d rows were in steps that were taken back"
                                .formatted(position.refused()));
            }
        }
        if (foreign > 0) {
            words.append(
                    "; %,d rows wait for a training, as the model does not know their label"
                            .formatted(foreign));
        }
        if (!waits.isEmpty()) {
            words.append("; waits: ").append(waits);
        }
        if (!trouble.isEmpty()) {
            words.append("; last trouble: ").append(trouble);
        }
        return words.toString();
    }

    private static String time(long ms) {
        return Instant.ofEpochMilli(ms).truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
