package dev.medley.fleet.cost;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.NamedFile;
import dev.medley.base.text.DidYouMean;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Holds prices an hour by machine type.
 *
 * @param offers by name of the type; what is not known of a price is NaN
 * @param where they stand, for messages
 */
public record PriceCatalogue(Map<String, Offer> offers, String where) {
    private static final int LARGEST_BYTES = 16 << 20;
    private static final List<String> COLUMNS =
            List.of("Cloud", "GPU Type", "GPUs", "On-demand", "Spot", "Name");

    /**
     * Holds what one type of machine costs.
     *
     * @param gpu empty without one
     * @param onDemandPerHour NaN if unknown
     * @param spotPerHour NaN if unknown
     */
    public record Offer(
            String cloud, String gpu, int gpus, double onDemandPerHour, double spotPerHour) {}

    public PriceCatalogue {
        offers = Map.copyOf(offers);
    }

    /** Prices that somebody said by type, as Medley's own file of prices does. */
    public static PriceCatalogue of(Map<String, Double> onDemandPerHour, String where) {
        Map<String, Offer> offers = new HashMap<>();
        onDemandPerHour.forEach(
                (type, price) -> offers.put(type, new Offer("", "", 0, price, Double.NaN)));
        return new PriceCatalogue(offers, where);
    }

    /**
     * The public catalogue of GPU machines, cloud-gpus.csv, with columns {@code Cloud, GPU Type,
     * GPUs, On-demand, Spot, Name}. Rows without a name are passed over. Of several rows of one
     * name, which differ by GPU, the name stands for none: {@code NAME GPUSxGPU} does.
     */
    public static PriceCatalogue read(Path file) {
        String text;
        try {
            text = NamedFile.text(file, LARGEST_BYTES);
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + ": there is no such catalogue of prices", e);
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e.getMessage(), e);
        }
        List<String> lines = text.lines().toList();
        check(!lines.isEmpty(), "%s: it is empty; a catalogue has a header", file);
        List<String> header = List.of(lines.get(0).split(",", -1));
        for (String column : COLUMNS) {
            check(header.contains(column), "%s:1: there is no column '%s'", file, column);
        }
        Map<String, List<Offer>> byName = new TreeMap<>();
        for (int i = 1; i < lines.size(); i++) {
            String[] cells = lines.get(i).split(",", -1);
            check(
                    cells.length == header.size(),
                    "%s:%d: %d cells in place of %d",
                    file,
                    i + 1,
                    cells.length,
                    header.size());
            String name = cells[header.indexOf("Name")].strip();
            if (!name.isEmpty()) {
                byName.computeIfAbsent(name, n -> new ArrayList<>())
                        .add(offer(file, i + 1, header, cells));
            }
        }
        Map<String, Offer> offers = new HashMap<>();
        byName.forEach(
                (name, rows) -> {
                    for (Offer row : rows) {
                        String own = "%s %dx%s".formatted(name, row.gpus(), row.gpu());
                        offers.put(rows.size() == 1 ? name : own, row);
                    }
                });
        return new PriceCatalogue(offers, file.toString());
    }

    /** These prices, and where they say nothing those of {@code others}. */
    public PriceCatalogue orElse(PriceCatalogue others) {
        Map<String, Offer> both = new HashMap<>(others.offers);
        both.putAll(offers);
        return new PriceCatalogue(both, where + ", " + others.where);
    }

    /** On-demand prices of all these types; one message names all that are missing. */
    public Map<String, Double> onDemand(Collection<String> types) {
        Map<String, Double> prices = new TreeMap<>();
        TreeSet<String> missing = new TreeSet<>();
        for (String type : types) {
            Offer offer = offers.get(type);
            if (offer == null || Double.isNaN(offer.onDemandPerHour())) {
                missing.add(
                        DidYouMean.of(type, offers.keySet())
                                .filter(near -> !near.equals(type))
                                .map(near -> type + " (did you mean " + near + "?)")
                                .orElse(type));
            } else {
                prices.put(type, offer.onDemandPerHour());
            }
        }
        check(
                missing.isEmpty(),
                "%s: no on-demand price for machines of type %s; add it",
                where,
                String.join(", ", missing));
        return prices;
    }

    private static Offer offer(Path file, int line, List<String> header, String[] cells) {
        String gpus = cells[header.indexOf("GPUs")].strip();
        return new Offer(
                cells[header.indexOf("Cloud")].strip(),
                cells[header.indexOf("GPU Type")].strip(),
                gpus.matches("\\d{1,6}") ? Integer.parseInt(gpus) : 0,
                price(file, line, cells[header.indexOf("On-demand")].strip()),
                price(file, line, cells[header.indexOf("Spot")].strip()));
    }

    /** An empty cell is an unknown price; one that is no number above 0 is an error. */
    private static double price(Path file, int line, String cell) {
        if (cell.isEmpty()) {
            return Double.NaN;
        }
        boolean isPrice = cell.matches("\\d+(\\.\\d+)?") && Double.parseDouble(cell) > 0;
        check(isPrice, "%s:%d: a price is '%s'; a number above 0, or nothing", file, line, cell);
        return Double.parseDouble(cell);
    }
}
