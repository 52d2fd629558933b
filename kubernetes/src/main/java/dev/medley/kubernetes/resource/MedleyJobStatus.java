package dev.medley.kubernetes.resource;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says how far a MedleyJob is. The operator writes all but {@code progress}, which is the
 * coordinator's.
 *
 * @param message one sentence: what is waited for, or how it ended
 * @param workers that are ready
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MedleyJobStatus(
        @Nullable JobPhaseName phase,
        @Nullable String message,
        @Nullable Long observedGeneration,
        @Nullable Integer workers,
        @Nullable List<FlavorStatus> flavors,
        @Nullable List<Condition> conditions,
        @Nullable ProgressStatus progress) {
    /** Of a job that nobody has looked at. */
    public static final MedleyJobStatus NONE =
            new MedleyJobStatus(null, null, null, null, null, null, null);

    /** The same without what the coordinator says. */
    public MedleyJobStatus withoutProgress() {
        return new MedleyJobStatus(
                phase, message, observedGeneration, workers, flavors, conditions, null);
    }

    /** What the operator did with a kind of machines, and why. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record FlavorStatus(String name, int wanted, int ready, @Nullable String why) {}

    /** How far the whole is. */
    public enum JobPhaseName {
        /** It cannot be run as it is. */
        Refused,
        /** Pods are asked for and not there. */
        Pending,
        /** Its coordinator runs. */
        Running,
        /** Its owner wants it to wait. */
        Suspended,
        /** The model is there. */
        Completed,
        /** It ended without. */
        Failed;

        /** Whether nothing follows. */
        public boolean isEnd() {
            return this == Completed || this == Failed;
        }
    }
}
