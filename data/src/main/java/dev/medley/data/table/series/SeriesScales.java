package dev.medley.data.table.series;

import dev.medley.base.job.SeriesSpec;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.SeriesEncoding.Scales;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds what columns are scaled by, from the rows before a time. */
final class SeriesScales {
    /** Mean and squares around it, by Welford's update. */
    static final class Spread {
        private long count;
        private double mean;
        private double squares;

        void add(double value) {
            count++;
            double away = value - mean;
            mean += away / count;
            squares += away * (value - mean);
        }

        Scaling scaling() {
            double deviation = count == 0 ? 0 : Math.sqrt(squares / count);
            return new Scaling(mean, deviation > 0 ? deviation : 1, 0);
        }
    }

    private SeriesScales() {}

    /**
     * Those of all series together, or of each where the job says so; numbers of {@code categories}
     * stand behind the others and are not scaled.
     */
    static List<Scales> fit(
            SeriesRows rows, SeriesSpec.Scaling kind, double before, List<Category> categories)
            throws IOException {
        int features = categories.stream().mapToInt(Category::knownCodes).sum();
        int columns = rows.columns().size();
        if (kind == SeriesSpec.Scaling.NONE) {
            List<Scaling> none = Collections.nCopies(columns + features, Scaling.NONE);
            return List.of(new Scales(List.of(), none));
        }
        boolean isEach = kind == SeriesSpec.Scaling.SERIES;
        Spread[][] spreads = new Spread[isEach ? rows.names().size() : 1][columns];
        for (Spread[] each : spreads) {
            Arrays.setAll(each, i -> new Spread());
        }
        rows.scan(
                chunk -> {
                    for (int row = 0; row < chunk.rows; row++) {
                        Spread[] of = spreads[isEach ? chunk.codes[0][row] : 0];
                        for (int c = 0; c < columns && chunk.numbers[0][row] < before; c++) {
                            of[c].add(chunk.numbers[c + 1][row]);
                        }
                    }
                });
        List<Scales> scales = new ArrayList<>();
        for (int s = 0; s < spreads.length; s++) {
            scales.add(
                    new Scales(
                            isEach ? rows.names().get(s) : List.of(),
                            Stream.concat(
                                            Arrays.stream(spreads[s]).map(Spread::scaling),
                                            Collections.nCopies(features, Scaling.NONE).stream())
                                    .toList()));
        }
        return scales;
    }

    /** Those of each of {@code names}; null for a series that training did not have. */
    static List<@Nullable List<Scaling>> of(List<Scales> fitted, List<List<String>> names) {
        Map<List<String>, List<Scaling>> known = new HashMap<>();
        fitted.forEach(each -> known.put(each.series(), each.targets()));
        List<@Nullable List<Scaling>> found = new ArrayList<>();
        boolean isOne = fitted.size() == 1 && fitted.get(0).series().isEmpty();
        for (List<String> name : names) {
            found.add(isOne ? fitted.get(0).targets() : known.get(name));
        }
        return found;
    }
}
