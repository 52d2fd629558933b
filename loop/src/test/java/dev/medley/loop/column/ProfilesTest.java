package dev.medley.loop.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Profiles of parts, put together in any order, are the profile of the whole, also from JSON. */
@Tag("property")
class ProfilesTest {
    private static final int LIMIT = 500;

    @Test
    void shouldPutNumbersTogetherInAnyOrder() {
        RandomGenerator random = Seeds.generator(1);
        double[] all = new double[5000];
        Arrays.setAll(all, i -> i % 50 == 0 ? Double.NaN : 1e6 + random.nextGaussian());
        all[7] = Double.POSITIVE_INFINITY;
        NumberProfile whole = NumberProfile.of(all, 3, 0, LIMIT);
        NumberProfile left = NumberProfile.none(LIMIT);
        NumberProfile right = NumberProfile.none(LIMIT);
        for (int cut = 0; cut < all.length; cut += 1000) {
            NumberProfile part =
                    NumberProfile.of(Arrays.copyOfRange(all, cut, cut + 1000), 3, cut, LIMIT);
            left = left.merge(part);
            right = part.merge(right);
        }
        for (NumberProfile merged : List.of(left, right)) {
            assertThat(merged.sample()).isEqualTo(whole.sample());
            assertThat(merged.count()).isEqualTo(4899);
            assertThat(merged.missing()).isEqualTo(100);
            assertThat(merged.infinite()).isEqualTo(1);
            assertThat(merged.mean()).isCloseTo(whole.mean(), within(1e-6));
            assertThat(merged.deviation()).isCloseTo(whole.deviation(), within(1e-6));
            assertThat(merged.least()).isEqualTo(whole.least());
            assertThat(merged.most()).isEqualTo(whole.most());
        }
        assertThat(whole.sample().values()).hasSize(LIMIT);
        assertThat(whole.quantile(0.5)).isCloseTo(1e6, within(0.25));
        assertThat(whole.reference(1).size()).isEqualTo(LIMIT);
        assertThat(whole.reference(1).present()).isEqualTo(4899);
        assertThat(whole.reference(1).missing()).isEqualTo(101);
    }

    @Test
    void shouldSampleRowsEvenly() {
        int[] kept = new int[10];
        for (int run = 0; run < 300; run++) {
            double[] rows = new double[1000];
            Arrays.setAll(rows, i -> i);
            for (double value : NumberProfile.of(rows, run, 0, 50).sample().values()) {
                kept[(int) value / 100]++;
            }
        }
        for (int tenth : kept) {
            assertThat(tenth).isCloseTo(1500, within(190));
        }
    }

    @Test
    void shouldBoundCategories() {
        RandomGenerator random = Seeds.generator(2);
        Map<String, Long> truth = new HashMap<>();
        CategoryProfile merged = CategoryProfile.none(20);
        for (int part = 0; part < 10; part++) {
            List<String> rows = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                String row = "c" + (int) (400 * Math.pow(random.nextDouble(), 4));
                rows.add(row);
                truth.merge(row, 1L, Long::sum);
            }
            rows.add(null);
            merged = merged.merge(CategoryProfile.of(rows, 20));
        }
        assertThat(merged.count()).isEqualTo(10_000);
        assertThat(merged.missing()).isEqualTo(10);
        assertThat(merged.top().size()).isLessThanOrEqualTo(20);
        assertThat(merged.missed()).isLessThanOrEqualTo(10_000 / 21);
        for (Map.Entry<String, Long> each : truth.entrySet()) {
            long said = merged.top().getOrDefault(each.getKey(), 0L);
            assertThat(said).isBetween(each.getValue() - merged.missed(), each.getValue());
        }
        assertThat(merged.reference().size()).isEqualTo(10_000);
    }

    @Test
    void shouldComeBackFromJson() {
        NumberProfile numbers = NumberProfile.of(new double[] {1, 2, Double.NaN}, 1, 0, LIMIT);
        assertThat(Json.parse(Json.bytes(numbers), NumberProfile.class)).isEqualTo(numbers);
        CategoryProfile categories = CategoryProfile.of(Arrays.asList("a", null, "b", "a"), 5);
        assertThat(Json.parse(Json.bytes(categories), CategoryProfile.class)).isEqualTo(categories);
        NumberProfile none = NumberProfile.none(LIMIT);
        assertThat(Json.parse(Json.bytes(none), NumberProfile.class)).isEqualTo(none);
    }

    @Test
    void shouldSayWhatCannotBePutTogether() {
        assertThatThrownBy(() -> NumberProfile.none(5).merge(NumberProfile.none(6)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("at most 5 and 6 rows");
        assertThatThrownBy(() -> CategoryProfile.none(5).merge(CategoryProfile.none(6)))
                .hasMessageContaining("at most 5 and 6 categories");
        assertThatThrownBy(() -> NumberProfile.none(5).reference(1))
                .hasMessageContaining("no numbers");
    }
}
