package dev.medley.tensor.table;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.model.FactorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Numbers the rows of a factorisation's tables: one for each code of each category, in the order of
 * the columns, then one for each number. The last code of a category is that of values that
 * training has not seen.
 *
 * @param first row of each category's codes
 * @param codes of each category
 * @param numbers that a sample has beside its categories
 */
public record FactorRows(List<Integer> first, List<Integer> codes, int numbers) {
    /** Most users and items of implicit feedback: an evaluation tells them as floats. */
    public static final int MOST_RANKED = 1 << 24;

    /** Most rows: two of their numbers travel in one double. */
    public static final int MOST = (1 << 26) - 1;

    public FactorRows {
        first = List.copyOf(first);
        codes = List.copyOf(codes);
    }

    /**
     * Those of a table.
     *
     * @throws dev.medley.base.ConfigException if there is nothing to factorise, too much of it for
     *     how {@code spec} learns, or the target is neither a number nor one of two classes
     */
    public static FactorRows of(FactorSpec spec, Signature signature) {
        TargetKind asked = signature.target().kind();
        check(
                asked == TargetKind.VALUE || asked == TargetKind.BINARY,
                "model.family=factorization predicts a number or one of two classes, but the data"
                        + " asks for %s: set data.task: regression where the label's numbers are"
                        + " ratings, or take another model",
                asked);
        List<Integer> first = new ArrayList<>();
        List<Integer> codes = new ArrayList<>();
        int numbers = 0;
        long rows = 0;
        for (Input input : signature.inputs()) {
            check(
                    input.shape().size() == 1,
                    "model.family=factorization reads tables, but the data gives \"%s\" of shape"
                            + " %s: use another model",
                    input.name(),
                    input.shape());
            if (input.cardinalities().isEmpty()) {
                numbers += input.shape().get(0);
            }
            for (int count : input.cardinalities()) {
                first.add((int) Math.min(MOST, rows));
                codes.add(count);
                rows += count;
            }
        }
        rows += numbers;
        check(
                rows < MOST,
                "model.family=factorization: %,d users, items and other values are more than the"
                        + " %,d that it can tell apart",
                rows,
                MOST);
        check(
                codes.size() + numbers >= 2,
                "model.family=factorization: the data has %d columns that differ from row to row,"
                        + " and there is nothing to factorise below two",
                codes.size() + numbers);
        for (int count : codes) {
            checkFits(spec, count);
        }
        return new FactorRows(first, codes, numbers);
    }

    private static void checkFits(FactorSpec spec, int codes) {
        check(
                !spec.isImplicit() || codes <= MOST_RANKED,
                "model.feedback=implicit: %,d users or items in one column are more than the %,d"
                        + " that it can rank: leave out who has few rows, or take"
                        + " model.feedback=explicit",
                codes,
                MOST_RANKED);
        check(
                !spec.isImplicit() || codes * (spec.rank() + 1L) <= Integer.MAX_VALUE,
                "model.feedback=implicit: %,d users or items in one column by model.rank=%d are"
                        + " more than the %,d numbers that it can rank: at most model.rank=%d here",
                codes,
                spec.rank(),
                Integer.MAX_VALUE,
                Integer.MAX_VALUE / codes - 1);
        check(
                !spec.alternates()
                        || spec.tables() != FactorSpec.Tables.WHOLE
                        || codes * (spec.rank() + 1L) <= Integer.MAX_VALUE,
                "model.solver=als: %,d users or items in one column by model.rank=%d are more than"
                        + " the %,d numbers that it solves in a pass: at most model.rank=%d here,"
                        + " or take model.tables=dealt or model.solver=sgd",
                codes,
                spec.rank(),
                Integer.MAX_VALUE,
                Integer.MAX_VALUE / codes - 1);
    }

    /** Categories of a sample. */
    public int categories() {
        return codes.size();
    }

    /** Rows that a sample touches. */
    public int ofSample() {
        return categories() + numbers;
    }

    /** Row of the first number. */
    public int firstNumber() {
        return count() - numbers;
    }

    /** All rows. */
    public int count() {
        return codes.stream().mapToInt(Integer::intValue).sum() + numbers;
    }

    /** Whether a row is of values that training does not see. */
    public boolean isUnseen(int row) {
        for (int c = 0; c < codes.size(); c++) {
            if (row == first.get(c) + codes.get(c) - 1) {
                return true;
            }
        }
        return false;
    }
}
