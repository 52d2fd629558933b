package dev.medley.spark.rows;

import dev.medley.base.Seeds;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Decides which rows are kept to judge by: those that a column marks, else some that are drawn. Of
 * rows that are ranked together all are, or none.
 *
 * @param roles of the columns
 * @param share of the rows that are drawn, where no column marks them
 * @param seed of the draws
 */
record HeldOut(FrameColumns.Roles roles, double share, long seed) implements Serializable {
    private static final long PURPOSE = 0x53706c6974L;

    /** Goes through the rows of a partition, one after the other. */
    final class Rows {
        private final int partition;
        private long number;
        private @Nullable String group;
        private boolean isBeginning = true;
        private boolean isHeld;

        private Rows(int partition) {
            this.partition = partition;
        }

        /** Takes the next row; what is wrong with it, or null. */
        @Nullable String next(FrameReader reader, RowValues row) {
            boolean isMarked = reader.isValidation(row);
            if (roles.group() < 0) {
                isHeld =
                        roles.validation() >= 0
                                ? isMarked
                                : share > 0 && drawn(Seeds.of(seed, PURPOSE, partition, number));
                number++;
                return null;
            }
            String next = reader.group(row);
            isBeginning = next == null || !next.equals(group);
            group = next;
            if (isBeginning) {
                isHeld =
                        roles.validation() >= 0
                                ? isMarked
                                : next != null && share > 0 && drawn(key(next));
            }
            return roles.validation() < 0 || isMarked == isHeld
                    ? null
                    : ("validationIndicatorCol: some rows of the group '%s' are marked and some are"
                                    + " not: a group is kept to judge by as a whole")
                            .formatted(next);
        }

        /** Whether the row is kept to judge by. */
        boolean isHeld() {
            return isHeld;
        }

        /** Whether the row is ranked with others than the one before it. */
        boolean isBeginning() {
            return isBeginning;
        }
    }

    /** Those of a partition from its first one on. */
    Rows of(int partition) {
        return new Rows(partition);
    }

    private boolean drawn(long key) {
        return (key >>> 11) * 0x1p-53 < share;
    }

    private long key(String group) {
        byte[] bytes = group.getBytes(StandardCharsets.UTF_8);
        return Seeds.of(seed, PURPOSE, Encode.check(bytes, bytes.length));
    }
}
