package dev.medley.record.entry;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.medley.base.Plan;
import dev.medley.base.strategy.StrategySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A plan and the step from which it holds. Plans are what {@code --replay} repeats.
 *
 * @param wallMillis when it was made
 * @param fromStep first step that is taken under it
 * @param groupEpoch of the group that it is for
 * @param workers ids of the members in order of rank: share i is worker i's
 * @param plan shares, micro-batch and the reason
 * @param sites where the members stand, by rank; empty in older records
 * @param strategy that was chosen for the run, with the codec of this group; null where the job
 *     names both
 */
@JsonIgnoreProperties("predictedSamplesPerSecond") // In older records, and null there.
public record PlanRecord(
        long wallMillis,
        long fromStep,
        int groupEpoch,
        List<Integer> workers,
        Plan plan,
        @JsonSetter(nulls = Nulls.AS_EMPTY) List<String> sites,
        @Nullable StrategySpec strategy) {
    public PlanRecord {
        workers = List.copyOf(workers);
        sites = List.copyOf(sites);
    }

    /** A plan of a run whose job names its strategy. */
    public PlanRecord(
            long wallMillis,
            long fromStep,
            int groupEpoch,
            List<Integer> workers,
            Plan plan,
            List<String> sites) {
        this(wallMillis, fromStep, groupEpoch, workers, plan, sites, null);
    }

    /**
     * The strategy that was chosen for a run whose plans these are; null if none was, since the job
     * names it or since it never trained.
     */
    public static @Nullable StrategySpec chosen(List<PlanRecord> recorded) {
        return recorded.stream()
                .map(PlanRecord::strategy)
                .filter(Objects::nonNull)
                .reduce((earlier, later) -> later)
                .orElse(null);
    }

    /**
     * The plans under which the steps of a run were taken, in order of steps. A run that was
     * resumed, or a group that re-formed before it took a step, plans again from a step that an
     * earlier line already spoke for: the later line holds.
     */
    public static List<PlanRecord> inForce(List<PlanRecord> recorded) {
        List<PlanRecord> held = new ArrayList<>();
        for (PlanRecord next : recorded) {
            held.removeIf(earlier -> earlier.fromStep() >= next.fromStep());
            held.add(next);
        }
        return List.copyOf(held);
    }
}
