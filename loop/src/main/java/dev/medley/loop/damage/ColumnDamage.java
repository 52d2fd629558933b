package dev.medley.loop.damage;

import dev.medley.base.ConfigException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Estimates by how much a model's mean loss grows if the shares of one column's bins or categories
 * change and nothing else: each validation row's loss counts as often as its bin does now.
 *
 * @param damage growth of the mean loss; below 0 where rows have become easier
 * @param error standard error of it, from the numbers of rows on both sides
 * @param unseen share of rows now in bins without validation rows, which count with the mean loss
 */
public record ColumnDamage(String column, double damage, double error, double unseen) {
    /**
     * From validation rows by bin, and rows of now by the same bins.
     *
     * @param losses sum of validation losses by bin
     * @param squares sum of their squares
     */
    public static ColumnDamage of(
            String column, long[] rows, double[] losses, double[] squares, long[] now) {
        ConfigException.check(
                rows.length == losses.length
                        && rows.length == squares.length
                        && rows.length == now.length,
                "column %s: %d bins of rows, %d of losses, %d of squares, %d of now: count all by"
                        + " the same bins",
                column,
                rows.length,
                losses.length,
                squares.length,
                now.length);
        long before = Arrays.stream(rows).sum();
        long after = Arrays.stream(now).sum();
        ConfigException.check(
                before > 0 && after > 0,
                "column %s: %d validation rows and %d rows now: it takes some of both",
                column,
                before,
                after);
        double mean = Arrays.stream(losses).sum() / before;
        double damage = 0;
        double spread = 0;
        double within = 0;
        double unseen = 0;
        for (int i = 0; i < rows.length; i++) {
            double share = (double) now[i] / after;
            double extra = rows[i] == 0 ? 0 : losses[i] / rows[i] - mean;
            damage += share * extra;
            spread += (share / after + (double) rows[i] / before / before) * extra * extra;
            if (rows[i] == 0) {
                unseen += share;
            } else {
                double change = share - (double) rows[i] / before;
                double variance = squares[i] / rows[i] - Math.pow(losses[i] / rows[i], 2);
                within += change * change * Math.max(0, variance) / rows[i];
            }
        }
        double error = Math.sqrt(Math.max(0, spread - damage * damage / after) + within);
        return new ColumnDamage(column, damage, error, unseen);
    }

    /** By damage, the largest first; what may well be chance comes after what is not. */
    public static List<ColumnDamage> ranked(List<ColumnDamage> columns) {
        return columns.stream()
                .sorted(Comparator.comparingDouble(ColumnDamage::certain).reversed())
                .toList();
    }

    /** As much damage as there is at least, with two standard errors' doubt. */
    public double certain() {
        return damage - 2 * error;
    }

    /** One sentence for people. */
    public String why() {
        String sentence =
                String.format(
                        Locale.ROOT,
                        "the shift of %s alone %s the mean loss by %.4f (+-%.4f)",
                        column,
                        damage >= 0 ? "raises" : "lowers",
                        Math.abs(damage),
                        2 * error);
        return unseen == 0
                ? sentence
                : sentence
                        + String.format(
                                Locale.ROOT, "; of %.1f %% of rows nothing is known", 100 * unseen);
    }
}
