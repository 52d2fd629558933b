package dev.medley.fleet.cost.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.medley.fleet.cost.PriceCatalogue;
import dev.medley.fleet.cost.market.LogTerms;
import dev.medley.fleet.cost.market.SpotLogs;
import dev.medley.fleet.cost.market.SpotMarket;
import dev.medley.fleet.cost.spot.SpotPolicies;
import dev.medley.fleet.simulation.FleetData;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three months of AWS's spot prices in four zones, of which the last days say availability, too.
 */
@Tag("real")
class PublicPricesTest {
    private static final String PRICES = "logs/aws/cost/us-east-1/";

    @Test
    void shouldReplaySpotPricesOfAws(@TempDir Path folder) throws IOException {
        double onDemand =
                PriceCatalogue.read(FleetData.of("sched/prices/cloud-gpus.csv"))
                        .onDemand(List.of("p3.2xlarge"))
                        .getOrDefault("p3.2xlarge", 0.0);
        unpack(FleetData.of("sched/prices/training_on_a_dime-logs.tar.gz"), folder);
        LogTerms terms = new LogTerms("p3.2xlarge", "", 1, onDemand, Double.NaN);

        SpotMarket market = SpotLogs.read(folder, terms);
        SpotQuestion question =
                new SpotQuestion(
                        List.of(8 * 3600.0),
                        List.of(1.1, 2.0),
                        3,
                        24 * 3600,
                        new SpotQuestion.Costs(600, 600, 0));
        List<SpotSummary> summaries =
                SpotSummary.of(SpotStudy.rows(market, SpotPolicies.all(), question));

        assertEquals(4, market.zones().size());
        assertEquals(0.918, market.zones().get(1).spotPerHour().least());
        for (SpotSummary summary : summaries) {
            assertEquals(0, summary.missed());
            boolean onSpot = !summary.policy().equals("on-demand");
            double over = summary.costOverOptimum();
            assertTrue(onSpot ? 1 <= over && over <= 1.1 : over > 2.5, summary.toString());
        }
    }

    /**
     * The price histories of one region from a tar archive: headers of 512 bytes, then contents.
     */
    private static void unpack(Path packed, Path folder) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
            for (byte[] header = in.readNBytes(512);
                    header.length == 512 && header[0] != 0;
                    header = in.readNBytes(512)) {
                String name = text(header, 0, 100);
                int bytes = Integer.parseInt(text(header, 124, 11).strip(), 8);
                byte[] content = in.readNBytes((bytes + 511) / 512 * 512);
                if (name.startsWith(PRICES) && name.endsWith("p3.2xlarge.json")) {
                    Path file = folder.resolve(name.substring(PRICES.length()));
                    Files.write(file, java.util.Arrays.copyOf(content, bytes));
                }
            }
        }
    }

    private static String text(byte[] header, int from, int length) {
        return new String(header, from, length, StandardCharsets.UTF_8).replaceFirst("\0.*", "");
    }
}
