package dev.medley.loop.continuous;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says how far a running model came. It is written with the model's parameters, all or nothing.
 *
 * @param generation counts the models that it began with
 * @param origin the version that it began with
 * @param champion the version in production, which it is judged against
 * @param published its own last version; null for none
 * @param beganMs when it began, milliseconds since 1970
 * @param lookedMs whose knowledge it has learnt from last, likewise
 * @param batches how many were learnt
 * @param rows how many were learnt, those of steps that were taken back not
 * @param refused how many were in steps that were taken back
 * @param endMs behind the time of the latest row, milliseconds since 1970
 * @param learnt files that say which rows were learnt: first those that the origin had learnt, then
 *     those that came, with what was answered before
 * @param judgedFrom the first of these files whose rows came while the champion answered
 * @param judgedRows how many rows these are
 * @param atPublication where it was at the last publication
 * @param delays of rows that came since it began
 */
public record RunningPosition(
        long generation,
        int origin,
        int champion,
        @Nullable Integer published,
        long beganMs,
        long lookedMs,
        int batches,
        long rows,
        long refused,
        long endMs,
        List<String> learnt,
        int judgedFrom,
        long judgedRows,
        Publication atPublication,
        DelayLog delays) {
    /**
     * Tells where the model was when it was published.
     *
     * @param batches how many it had learnt
     * @param rows how many it had seen
     * @param atMs when, milliseconds since 1970
     */
    public record Publication(int batches, long rows, long atMs) {}

    public RunningPosition {
        learnt = List.copyOf(learnt);
    }

    /** Begins with a version. */
    static RunningPosition begun(long generation, int origin, long nowMs, String base) {
        return new RunningPosition(
                generation,
                origin,
                origin,
                null,
                nowMs,
                0,
                0,
                0,
                0,
                0,
                List.of(base),
                1,
                0,
                new Publication(0, 0, nowMs),
                DelayLog.NONE);
    }

    /** How many rows it has seen. */
    public long seen() {
        return rows + refused;
    }

    /** How many rows it has seen since it was published last. */
    public long sincePublication() {
        return seen() - atPublication.rows();
    }

    /** Behind one more batch. */
    RunningPosition after(Batch batch, long came, long refusedRows, DelayLog waited) {
        List<String> files = new ArrayList<>(learnt);
        files.add(RunningFolder.answers(batch.number()));
        return new RunningPosition(
                generation,
                origin,
                champion,
                published,
                beganMs,
                batch.asOfMs(),
                batch.number(),
                rows + came - refusedRows,
                refused + refusedRows,
                Math.max(endMs, batch.endMs()),
                files,
                judgedFrom,
                judgedRows + came,
                atPublication,
                waited);
    }

    /** Behind a publication, with the files of batches since the one before in one. */
    RunningPosition published(int version, List<String> files, int nextJudgedFrom, long nowMs) {
        return new RunningPosition(
                generation,
                origin,
                champion,
                version,
                beganMs,
                lookedMs,
                batches,
                rows,
                refused,
                endMs,
                files,
                nextJudgedFrom,
                judgedRows,
                new Publication(batches, seen(), nowMs),
                delays);
    }

    /** Its own last version answers from now on. */
    RunningPosition promoted(int version) {
        return new RunningPosition(
                generation,
                origin,
                version,
                published,
                beganMs,
                lookedMs,
                batches,
                rows,
                refused,
                endMs,
                learnt,
                learnt.size(),
                0,
                atPublication,
                delays);
    }

    /**
     * Describes rows that are to be learnt together, and stay the same if that is cut off.
     *
     * @param number counts batches of a generation
     * @param asOfMs whose knowledge they are, milliseconds since 1970
     * @param endMs behind the time of the last of them, likewise
     * @param foreign rows that wait, as their label is none that the model knows
     */
    record Batch(int number, long asOfMs, long endMs, long foreign) {}
}
