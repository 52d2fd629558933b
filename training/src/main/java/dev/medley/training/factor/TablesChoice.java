package dev.medley.training.factor;

import dev.medley.base.job.Signature;
import dev.medley.base.model.FactorSpec;
import dev.medley.base.model.FactorSpec.Tables;
import dev.medley.base.text.Units;
import dev.medley.tensor.table.FactorRows;
import java.util.List;

/**
 * Chooses where the tables of alternating least squares are held, where a job leaves that open.
 *
 * @param tables whole or dealt
 * @param why one sentence
 */
public record TablesChoice(Tables tables, String why) {
    /** Tables as a rank may hold them: the parameters, a staged checkpoint and a model's copy. */
    private static final int COPIES = 3;

    /** What a worker takes beside tables. */
    private static final long PROCESS_BYTES = 400L << 20;

    /** The part of a heap that the rows of one side may take while they are solved. */
    private static final double HEAP_PART = 0.75;

    /**
     * The memory of a worker; {@link Long#MAX_VALUE} for what is not known.
     *
     * @param allBytes that it may use
     * @param heapBytes of Java's heap
     * @param directBytes of native memory at most
     */
    public record Room(long allBytes, long heapBytes, long directBytes) {
        private static final String HEAP = "-Xmx";
        private static final String DIRECT = "-XX:MaxDirectMemorySize=";

        /** Of a worker's Java options, of which the last one holds. */
        public static Room of(long allBytes, List<String> options) {
            return new Room(allBytes, given(options, HEAP), given(options, DIRECT));
        }

        private static long given(List<String> options, String option) {
            long bytes = Long.MAX_VALUE;
            for (String each : options) {
                if (each.matches(option + "\\d{1,12}[kKmMgG]?")) {
                    String size = each.substring(option.length());
                    long unit =
                            switch (Character.toLowerCase(size.charAt(size.length() - 1))) {
                                case 'k' -> 1L << 10;
                                case 'm' -> 1L << 20;
                                case 'g' -> 1L << 30;
                                default -> 1;
                            };
                    bytes = Long.parseLong(size.replaceAll("\\D", "")) * unit;
                }
            }
            return bytes;
        }
    }

    /** Whole where they fit with the copies that are made of them. */
    public static TablesChoice of(FactorSpec spec, Signature signature, Room room) {
        if (spec.tables() != Tables.AUTO || !spec.alternates()) {
            return new TablesChoice(spec.tables(), "the job says so");
        }
        FactorRows rows = FactorRows.of(spec, signature);
        long rowBytes = (spec.rank() + 1L) * Float.BYTES;
        long tableBytes = rows.count() * rowBytes;
        long codes = rows.codes().stream().mapToInt(Integer::intValue).max().orElse(0);
        long solvedBytes = codes * rowBytes;
        long needed = COPIES * tableBytes + solvedBytes;
        boolean fits =
                solvedBytes / Float.BYTES <= Integer.MAX_VALUE
                        && needed <= room.allBytes() - PROCESS_BYTES
                        && COPIES * tableBytes <= room.directBytes()
                        && solvedBytes <= HEAP_PART * room.heapBytes();
        return fits
                ? new TablesChoice(Tables.WHOLE, "whole tables fit a worker's memory")
                : new TablesChoice(
                        Tables.DEALT,
                        ("model.tables: dealt, since whole tables of %,d rows with %d factors take"
                                        + " %s of each worker's memory with their copies, which is"
                                        + " more than it has for them")
                                .formatted(rows.count(), spec.rank(), Units.bytes(needed)));
    }
}
