package dev.medley.record.entry;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A worker when it was ready to train, and what was measured of its machine by then.
 *
 * @param wallMillis when
 * @param worker its id, as plans and steps have it
 * @param startUpNs from the start of its process
 * @param tried passes of the model, timed before it joined; empty where nobody asked for them
 * @param name of the machine whose agent started it; null for a process of the run's own machine
 * @param machine what that agent saw of it, a {@link dev.medley.profile.machine.MachineProfile};
 *     null for a process of the run's own machine, which is in {@code machine.json}
 */
public record WorkerRecord(
        long wallMillis,
        int worker,
        long startUpNs,
        @JsonSetter(nulls = Nulls.AS_EMPTY) List<Trial> tried,
        @Nullable String name,
        @Nullable JsonNode machine) {
    /** So many samples took so long, forward and backward. */
    public record Trial(int samples, long ns) {}

    public WorkerRecord {
        tried = List.copyOf(tried);
    }
}
