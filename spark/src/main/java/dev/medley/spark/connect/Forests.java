package dev.medley.spark.connect;

import static dev.medley.base.ConfigException.check;

import java.util.Locale;

/** Says what the parameters of Spark's forests mean for Medley's. */
final class Forests {
    /** Different rows of a bootstrap sample as large as the set: 1 - 1/e. */
    private static final double BOOTSTRAP = 0.632;

    private Forests() {}

    /** Share of the rows that a tree sees. */
    static double rows(double rate, boolean isBootstrap) {
        return isBootstrap ? Math.min(1, rate * BOOTSTRAP) : rate;
    }

    /** Share of the columns that a split chooses among, as {@code featureSubsetStrategy} has it. */
    static double columns(String strategy, int features, int trees, boolean isClass) {
        String named = strategy.toLowerCase(Locale.ROOT);
        if (named.equals("auto")) {
            named = trees == 1 ? "all" : isClass ? "sqrt" : "onethird";
        }
        double share =
                switch (named) {
                    case "all" -> 1;
                    case "sqrt" -> Math.sqrt(features) / features;
                    case "log2" -> Math.max(1, Math.log(features) / Math.log(2)) / features;
                    case "onethird" -> 1 / 3.0;
                    default -> number(named, features);
                };
        return Math.min(1, Math.max(share, 1.0 / features));
    }

    /** A whole number is one of columns, another a share of them. */
    private static double number(String text, int features) {
        double number = Double.parseDouble(text);
        check(number > 0, "featureSubsetStrategy=%s: above 0", text);
        return text.contains(".") ? number : number / features;
    }
}
