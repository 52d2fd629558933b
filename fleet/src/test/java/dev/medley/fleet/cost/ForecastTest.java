package dev.medley.fleet.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.medley.base.ConfigException;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.JobProgress;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import dev.medley.fleet.view.Terms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class ForecastTest {
    private static final List<MachineType> TYPES =
            List.of(new MachineType("fast", 2, 3), MachineType.of("slow", 2));

    @Test
    void shouldSayByHowMuchADeadlineIsMissedAndWhichEndIsTheEarliest() {
        JobView job = job(7200, 1000);

        // One slow machine, one a second: 7200 s from now, 100 + 7200 is 6300 s late.
        DeadlineForecast now = DeadlineForecast.with(100, job, new int[] {0, 1});
        assertEquals(6300, now.missedByS(), 1e-9);
        assertFalse(now.isKept());
        assertEquals(
                "With these machines it ends in 2 h: misses its deadline by 1 h 45 min.",
                now.sentence());

        // Two fast ones, four a second, after a restart of 60 s.
        DeadlineForecast best = DeadlineForecast.earliest(100, job, new int[] {2, 0});
        assertEquals(100 + 60 + 1800, best.endS(), 1e-9);

        DeadlineForecast unsized = DeadlineForecast.with(0, job(Double.NaN, 10), new int[] {1, 0});
        assertTrue(Double.isNaN(unsized.endS()) && !unsized.isKept());
        DeadlineForecast idle = DeadlineForecast.with(0, job(10, 10), new int[2]);
        assertEquals(Double.POSITIVE_INFINITY, idle.missedByS());
    }

    @Test
    void shouldSayWhenABudgetIsUsedUp() {
        BudgetForecast short1 = BudgetForecast.of(12, TYPES, new int[] {2, 0}, 3 * 3600);
        assertEquals(6, short1.perHour());
        assertEquals(7200, short1.usedUpS());
        assertEquals(-6, short1.leftAtEnd(), 1e-9);
        assertEquals(
                "It spends 6.00 an hour; the 12.00 that are left last 2 h, 1 h too short.",
                short1.sentence());
        assertEquals(0, BudgetForecast.of(0, TYPES, new int[] {1, 0}, 1).usedUpS());
        assertTrue(
                BudgetForecast.of(5, TYPES, new int[2], 1).sentence().contains("spends nothing"));
        String refused =
                assertThrows(
                                ConfigException.class,
                                () -> BudgetForecast.of(5, TYPES, new int[] {0, 1}, 1))
                        .getMessage();
        assertTrue(refused.contains("no price is known for machines of type slow"), refused);
    }

    @Test
    void shouldNameAllMissingPricesAtOnce(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("gpus.csv");
        Files.writeString(
                file,
                """
                Cloud,GPU Type,GPUs,On-demand,Spot,Name
                AWS,V100,1,3.06,0.92,p3.2xlarge
                AWS,A100,8,40.97,,p4de.24xlarge
                GCP,T4,1,0.73,0.2,n1-standard-8
                GCP,P4,1,0.98,0.3,n1-standard-8
                Azure,T4,1,,,NC4
                """);
        PriceCatalogue catalogue = PriceCatalogue.read(file);

        assertEquals(Map.of("p3.2xlarge", 3.06), catalogue.onDemand(List.of("p3.2xlarge")));
        assertTrue(Double.isNaN(catalogue.offers().get("p4de.24xlarge").spotPerHour()));
        assertEquals(
                Map.of("n1-standard-8 1xP4", 0.98),
                catalogue.onDemand(List.of("n1-standard-8 1xP4")));
        String refused =
                assertThrows(
                                ConfigException.class,
                                () -> catalogue.onDemand(List.of("NC4", "p3.2xlarg", "zzz")))
                        .getMessage();
        assertTrue(
                refused.endsWith(
                        "no on-demand price for machines of type NC4, p3.2xlarg (did you mean"
                                + " p3.2xlarge?), zzz; add it"),
                refused);
        PriceCatalogue own = PriceCatalogue.of(Map.of("NC4", 0.5), "prices.yaml");
        assertEquals(0.5, own.orElse(catalogue).onDemand(List.of("NC4")).get("NC4"));
    }

    private static JobView job(double work, double deadlineS) {
        return new JobView(
                1,
                "k",
                new Demand(1, 2),
                new double[] {2, 1},
                new int[] {0, 1},
                new JobProgress(0, 0, 0, work, 60),
                new Terms("", "", 0, 1, deadlineS, 1));
    }
}
