package dev.medley.cli.serving;

import dev.medley.api.yaml.Quantity;
import dev.medley.base.ConfigException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/** Reads sizes, shares and ranges as people write them. */
final class TrafficWords {
    private TrafficWords() {}

    /** {@code 2GiB}. */
    static long bytes(String option, String text) {
        try {
            return Quantity.sizeBytes(text.strip());
        } catch (ArithmeticException | NumberFormatException e) {
            throw new ConfigException("%s %s: give a size, as 2GiB".formatted(option, text), e);
        }
    }

    /** {@code 5%} or {@code 0.05}; a bare 5 could mean both, and is none. */
    static double share(String what, String text) {
        String said = text.strip();
        boolean isPercent = said.endsWith("%");
        try {
            BigDecimal number =
                    new BigDecimal(isPercent ? said.substring(0, said.length() - 1).strip() : said);
            double share = (isPercent ? number.movePointLeft(2) : number).doubleValue();
            ConfigException.check(
                    isPercent || share < 1 || said.contains("."),
                    "%s %s: say %s%% or a part of 1, as 0.05",
                    what,
                    text,
                    said);
            return share;
        } catch (NumberFormatException e) {
            throw new ConfigException("%s %s: give a share, as 5%%".formatted(what, text), e);
        }
    }

    /** {@code 2=90% 3=10%}, with versions as {@code versions} knows them. */
    static Map<Integer, Double> shares(List<String> texts, ToIntFunction<String> versions) {
        Map<Integer, Double> shares = new TreeMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            ConfigException.check(
                    equals > 0, "'%s' is no share of a version: write 2=90%% 3=10%%", text);
            int version = versions.applyAsInt(text.substring(0, equals).strip());
            double share = share(text.substring(0, equals) + ":", text.substring(equals + 1));
            ConfigException.check(
                    shares.put(version, share) == null,
                    "version %d is named twice: give each one share",
                    version);
        }
        return shares;
    }

    /** The two numbers of {@code 0..100}. */
    static double[] range(String text) {
        String[] ends = text.split("\\.\\.", -1);
        try {
            ConfigException.check(
                    ends.length == 2, "--range %s: give two numbers, as 0..100", text);
            return new double[] {
                Double.parseDouble(ends[0].strip()), Double.parseDouble(ends[1].strip())
            };
        } catch (NumberFormatException e) {
            throw new ConfigException("--range %s: give two numbers, as 0..100".formatted(text), e);
        }
    }
}
