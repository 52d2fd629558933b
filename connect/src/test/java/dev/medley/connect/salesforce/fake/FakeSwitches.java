package dev.medley.connect.salesforce.fake;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Holds what a test wants to go wrong. */
public final class FakeSwitches {
    /** What happens to a call. */
    public volatile Function<FakeCall, FakeFault> calls = call -> FakeFault.NONE;

    /** The error code of a row that is written, given its values and how many came with it. */
    public volatile RowTrouble rows = (values, together) -> null;

    /** A value that no call with it is read for. */
    public volatile String unreadable = "";

    /** Headers that a proxy takes out of answers, in small letters. */
    public volatile Set<String> strippedHeaders = Set.of();

    public volatile HeaderRow headerRow = HeaderRow.EVERY_PAGE;

    /** How a job ends, by its number from 1 on. */
    public volatile Function<Integer, JobEnd> jobs = job -> JobEnd.COMPLETE;

    /** How often a job says that it is under way. */
    public volatile int pollsUntilDone = 1;

    /** More rows than that a page are never given. */
    public volatile int mostRecordsAPage = 100_000;

    /** How far its clock for tokens is ahead of the machine's. */
    public volatile long aheadSeconds;

    /** Rows of one REST answer. */
    public volatile int restPage = 2_000;

    /** Says why a row is refused. */
    @FunctionalInterface
    public interface RowTrouble {
        @Nullable String of(
                Map<String, @Nullable String> values, List<Map<String, @Nullable String>> together);
    }

    /** Which pages of a result begin with the names of columns. */
    public enum HeaderRow {
        EVERY_PAGE,
        FIRST_PAGE
    }

    /** How a job ends. */
    public enum JobEnd {
        COMPLETE,
        FAILED,
        /** Half of its rows are written; the others are unprocessed. */
        HALF
    }
}
