package dev.medley.base.model;

import static dev.medley.base.ConfigException.check;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Describes a factorisation of a table whose columns are mostly categories, as users and items are.
 *
 * @param user column of users; null for a factorisation machine over all columns
 * @param item column of items; null with {@code user}
 * @param sides whether other columns than these two take part
 * @param rank factors of each category
 * @param feedback what a row says
 * @param solver how factors are found
 * @param rows rows of the tables of factors that travel and move in a step
 * @param tables where the tables of factors are held. Null, as in models of versions that had no
 *     such component, is auto
 * @param iterations of alternating least squares, each for both sides
 * @param l2 penalty on the square of factors, of alternating least squares
 * @param confidence by which a unit of implicit feedback counts more than none, of alternating
 *     least squares
 * @param negatives items drawn beside each of implicit feedback, of gradients
 */
public record FactorSpec(
        @Nullable String user,
        @Nullable String item,
        boolean sides,
        int rank,
        Feedback feedback,
        Solver solver,
        Rows rows,
        Tables tables,
        int iterations,
        double l2,
        double confidence,
        int negatives) {
    /** What a row of ratings says. */
    public enum Feedback {
        /** The label is what the user thinks of the item. */
        EXPLICIT,
        /** The user took the item, as strongly as the label says; nobody says what is disliked. */
        IMPLICIT
    }

    /** How factors are found. */
    public enum Solver {
        /** By gradients of batches. */
        SGD,
        /** By least squares, for all users and then for all items (ALS). */
        ALS
    }

    /** The rows of the tables of factors that travel and move in a step. */
    public enum Rows {
        /** Those of its samples. */
        TOUCHED,
        /** All of them, as in any network. */
        ALL
    }

    /** Where the tables of factors are held. */
    public enum Tables {
        /** Whole in each worker's memory where there is room, else dealt out. */
        AUTO,
        /** Whole in each worker's memory. */
        WHOLE,
        /** Each worker holds the rows that it solves, and fetches others in blocks. */
        DEALT
    }

    /** Most ratings of which a model keeps what its users have: 1 GiB, as one array may hold. */
    public static final long MOST_RATINGS = 1 << 28;

    private static final int MOST_RANK = 4096;

    public FactorSpec {
        tables = Objects.requireNonNullElse(tables, Tables.AUTO);
        check(rank >= 1 && rank <= MOST_RANK, "model.rank=%d: from 1 to %d", rank, MOST_RANK);
        check(
                (user == null) == (item == null),
                "model.%s=%s stands alone: name model.%s, too, or neither for a factorisation"
                        + " machine over all columns",
                user == null ? "item" : "user",
                user == null ? item : user,
                user == null ? "user" : "item");
        check(
                user == null || !user.equals(item),
                "model.user and model.item are both %s: name two columns",
                user);
        check(iterations >= 1, "model.iterations=%d: at least 1", iterations);
        check(l2 >= 0 && Double.isFinite(l2), "model.l2=%s: 0 or more", l2);
        check(
                confidence > 0 && Double.isFinite(confidence),
                "model.confidence=%s: above 0",
                confidence);
        check(negatives >= 1, "model.negatives=%d: at least 1", negatives);
        check(
                feedback == Feedback.EXPLICIT || (user != null && !sides),
                "model.feedback=implicit: needs model.user and model.item, and no other columns"
                        + " (model.sides)");
        check(
                solver == Solver.SGD || (user != null && !sides),
                "model.solver=als: needs model.user and model.item, and no other columns"
                        + " (model.sides)");
        check(
                feedback == Feedback.EXPLICIT || rows == Rows.TOUCHED,
                "model.rows=all: implicit feedback is learnt with model.rows=touched alone");
        check(
                solver == Solver.SGD || rows == Rows.TOUCHED,
                "model.rows=all has no meaning for model.solver=als: leave it out");
        check(
                tables != Tables.DEALT || solver == Solver.ALS,
                "model.tables=dealt goes with model.solver=als alone: set model.solver: als, or"
                        + " leave model.tables out and lower model.rank until the tables fit");
    }

    /** Explicit ratings by gradients, with 32 factors; all columns where no two are named. */
    public static FactorSpec defaults() {
        return new FactorSpec(
                null,
                null,
                false,
                32,
                Feedback.EXPLICIT,
                Solver.SGD,
                Rows.TOUCHED,
                Tables.AUTO,
                15,
                0.05,
                10,
                4);
    }

    /** The same over these two columns alone. */
    public FactorSpec of(String users, String items) {
        return new FactorSpec(
                users,
                items,
                false,
                rank,
                feedback,
                solver,
                rows,
                tables,
                iterations,
                l2,
                confidence,
                negatives);
    }

    /** The same with so many factors. */
    public FactorSpec withRank(int factors) {
        return new FactorSpec(
                user,
                item,
                sides,
                factors,
                feedback,
                solver,
                rows,
                tables,
                iterations,
                l2,
                confidence,
                negatives);
    }

    /** The same, found by another solver. */
    public FactorSpec by(Solver other) {
        return new FactorSpec(
                user,
                item,
                sides,
                rank,
                feedback,
                other,
                rows,
                tables,
                iterations,
                l2,
                confidence,
                negatives);
    }

    /** The same with so many iterations of alternating least squares. */
    public FactorSpec iterating(int most) {
        return new FactorSpec(
                user,
                item,
                sides,
                rank,
                feedback,
                solver,
                rows,
                tables,
                most,
                l2,
                confidence,
                negatives);
    }

    /** The same for rows that say so. */
    public FactorSpec with(Feedback other) {
        return new FactorSpec(
                user,
                item,
                sides,
                rank,
                other,
                solver,
                rows,
                tables,
                iterations,
                l2,
                confidence,
                negatives);
    }

    /** The same where such rows travel. */
    public FactorSpec moving(Rows which) {
        return new FactorSpec(
                user,
                item,
                sides,
                rank,
                feedback,
                solver,
                which,
                tables,
                iterations,
                l2,
                confidence,
                negatives);
    }

    /** The same with its tables held so. */
    public FactorSpec holding(Tables where) {
        return new FactorSpec(
                user,
                item,
                sides,
                rank,
                feedback,
                solver,
                rows,
                where,
                iterations,
                l2,
                confidence,
                negatives);
    }

    /** The columns of users and items; none where none are named. */
    public List<String> columns() {
        return user == null || item == null ? List.of() : List.of(user, item);
    }

    /** Whether users and items are named, so that items can be recommended to users. */
    public boolean hasUsers() {
        return user != null;
    }

    /** Whether rows say only what users took. */
    public boolean isImplicit() {
        return feedback == Feedback.IMPLICIT;
    }

    /** Whether each worker holds but a part of the tables. */
    public boolean isDealt() {
        return tables == Tables.DEALT;
    }

    /** Whether a step takes all samples, for the rows of one side. */
    public boolean alternates() {
        return solver == Solver.ALS;
    }
}
