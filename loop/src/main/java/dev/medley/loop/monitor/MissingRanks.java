package dev.medley.loop.monitor;

/** Ranks each row by whether its value is missing, which is the higher of the two. */
final class MissingRanks {
    private final Draws draws;
    private long present;
    private long missing;

    MissingRanks(long present, long missing, Draws draws) {
        this.present = present;
        this.missing = missing;
        this.draws = draws;
    }

    /** The rank of a row that has a value. */
    double present() {
        present++;
        return draws.next() * present / (present + missing);
    }

    /** The rank of a row that has none. */
    double missing() {
        missing++;
        return (present + draws.next() * missing) / (present + missing);
    }

    long presentRows() {
        return present;
    }

    long missingRows() {
        return missing;
    }
}
