package dev.medley.control.simulator;

import dev.medley.base.job.RoundSpec;
import dev.medley.base.job.StrategySpec;
import dev.medley.base.job.StrategySpec.Compress;
import dev.medley.base.job.StrategySpec.Kind;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MeasuredClustersTest {
    @Test
    @Tag("simulation")
    void shouldX() {
        SimulatedCluster one =
                new SimulatedCluster(
                        List.of(
                                Clusters.emulated("n1", "rack", 0.9),
                                Clusters.emulated("n2", "rack", 0.45),
                                Clusters.emulated("n3", "rack", 0.22),
                                Clusters.emulated("n4", "rack", 0.22)),
                        Links.of(Clusters.GIGABIT, Clusters.THIN));
        SimulatedCluster two =
                new SimulatedCluster(
                        List.of(
                                Clusters.emulated("a1", "aws", 0.9),
                                Clusters.emulated("a2", "aws", 0.22),
                                Clusters.emulated("g1", "gcp", 0.45),
                                Clusters.emulated("g2", "gcp", 0.22)),
                        Links.of(Clusters.GIGABIT, Clusters.THIN));
        StrategySpec dp = StrategySpec.defaults();
        StrategySpec d64 = StrategySpec.defaults(Kind.DILOCO).with(Compress.INT8);
        StrategySpec d32 =
                StrategySpec.defaults(Kind.DILOCO).with(RoundSpec.defaults(Kind.DILOCO).every(32));
        for (long seed = 1; seed <= 3; seed++) {
            System.out.println(Simulator.run(one, Clusters.fashionCnn(), dp, 256, seed));
            System.out.println(Simulator.run(two, Clusters.fashionCnn(), dp, 256, seed));
            System.out.println(Simulator.run(two, Clusters.fashionCnn(), d64, 256, seed));
            System.out.println(Simulator.run(two, Clusters.fashionCnn(), d32, 256, seed));
        }
    }
}
