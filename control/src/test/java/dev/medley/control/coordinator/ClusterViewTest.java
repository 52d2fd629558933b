package dev.medley.control.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JoinSpec;
import dev.medley.control.event.Effects;
import dev.medley.control.event.EventTime;
import dev.medley.control.watch.Roster;
import dev.medley.control.watch.RunWatcher;
import dev.medley.net.control.Message;
import dev.medley.net.membership.View;
import dev.medley.plan.source.ReplayPlan;
import dev.medley.plan.source.SharePlan;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sites that latencies tell, where nobody declared any. */
@Tag("unit")
class ClusterViewTest {
    @Test
    void shouldNameTheSitesThatWereFound() {
        assertThat(ClusterView.sites(report(1, 0, 0, 1), Map.of()))
                .isEqualTo(named("1 site-1", "2 site-1", "3 site-2"));
    }

    @Test
    void shouldNotNameASiteWhereAllAreNear() {
        assertThat(ClusterView.sites(report(1, 0, 0), Map.of())).isEmpty();
    }

    /** Noise joined two sites for a moment; a newcomer comes, and is near what stood first. */
    @Test
    void shouldLeaveThoseFoundBeforeWhereTheyAre() {
        Map<WorkerId, String> before = named("1 site-1", "2 site-2");
        assertThat(ClusterView.sites(report(2, 0, 0, 0), before))
                .isEqualTo(named("1 site-1", "2 site-2", "3 site-1"));
    }

    @Test
    void shouldGiveANewcomerTheSiteOfItsNeighboursOrANewOne() {
        Map<WorkerId, String> before = named("1 site-1", "2 site-2");
        assertThat(ClusterView.sites(report(2, 0, 1, 1), before))
                .isEqualTo(named("1 site-1", "2 site-2", "3 site-2"));
        assertThat(ClusterView.sites(report(2, 0, 1, 2), before))
                .isEqualTo(named("1 site-1", "2 site-2", "3 site-3"));
    }

    @Test
    void shouldFormANewGroupAtTheSitesThatWereFound() throws Exception {
        CoordinatedRun run = new CoordinatedRun();
        run.on(2, 1)
                .play(
                        new FakeWorkers.Script() {
                            @Override
                            public void formed(FakeWorkers.Worker worker, View view) {
                                tellWays(worker, view);
                                if (view.group().epoch() == 2) {
                                    worker.stepTo(1);
                                    worker.finish("hash");
                                }
                            }
                        });
        assertThat(sites(run)).containsExactly(List.of("", ""), List.of("site-1", "site-2"));
    }

    /** The order of additions follows from the sites: a repeated run takes them from the record. */
    @Test
    void shouldTakeTheRecordedSitesInARepeatedRun() throws Exception {
        CoordinatedRun run = new CoordinatedRun();
        Plan plan = new Plan(1, List.of(6, 6), 6, "equal");
        run.on(2, 1)
                .planned(
                        new ReplayPlan(
                                List.of(new ReplayPlan.Recorded(1, plan, List.of("a", "a"), null))))
                .play(
                        new FakeWorkers.Script() {
                            @Override
                            public void formed(FakeWorkers.Worker worker, View view) {
                                tellWays(worker, view);
                                worker.stepTo(1);
                                worker.finish("hash");
                            }
                        });
        assertThat(sites(run)).containsExactly(List.of("a", "a"));
    }

    /** Latencies come anew with each group; a bandwidth that is kept is not measured anew. */
    @Test
    void shouldTellOfWaysWhenTheirBandwidthsWereMeasuredAnew() {
        List<ClusterProfile> told = new ArrayList<>();
        RunWatcher watcher =
                new RunWatcher() {
                    @Override
                    public void surveyed(ClusterProfile cluster, String found) {
                        told.add(cluster);
                    }
                };
        CoordinatorOptions options =
                new CoordinatorOptions(
                        ClusterSpec.ofWorkers(2),
                        "run " + CoordinatedRun.NAME,
                        "nothing",
                        FakeWorkers.JOB,
                        FakeWorkers.VERSION,
                        new CoordinatorOptions.Patience(1, 1, 1, 1),
                        JoinSpec.Begin.ALL);
        ClusterView surroundings =
                new ClusterView(
                        new SharePlan(12, 1, List.of()),
                        new Machines(null, options, watcher, new Effects(), new EventTime()),
                        new Roster(new Effects()),
                        watcher);
        surroundings.heard(report(1, new LinkPath(1_000, 1e6, Origin.MEASURED), 0, 0));
        surroundings.heard(report(2, new LinkPath(2_000, 1e6, Origin.MEASURED), 0, 0));
        surroundings.heard(report(3, new LinkPath(2_000, 2e6, Origin.MEASURED), 0, 0));
        assertThat(told)
                .extracting(cluster -> cluster.way(0, 1).bytesPerSecond())
                .containsExactly(1e6, 2e6);
    }

    private static List<List<String>> sites(CoordinatedRun run) {
        return run.views().stream()
                .map(view -> view.group().members().stream().map(Member::site).toList())
                .toList();
    }

    private static void tellWays(FakeWorkers.Worker worker, View view) {
        if (view.group().rankOf(worker.id()) == 0) {
            LinkReport report = report(view.group().epoch(), 0, 1);
            worker.say(new Message.Noted("links", Json.tree(report)));
        }
    }

    /** Machine i has worker i + 1 alone. */
    private static LinkReport report(int epoch, Integer... sites) {
        return report(epoch, LinkPath.assumedBetween(), sites);
    }

    private static LinkReport report(int epoch, LinkPath way, Integer... sites) {
        List<List<Integer>> workers = new ArrayList<>();
        List<List<LinkPath>> ways = new ArrayList<>();
        for (int machine = 0; machine < sites.length; machine++) {
            workers.add(List.of(machine + 1));
            ways.add(java.util.Collections.nCopies(sites.length, way));
        }
        return new LinkReport(epoch, workers, ways, List.of(sites), "by latency");
    }

    private static Map<WorkerId, String> named(String... each) {
        Map<WorkerId, String> sites = new TreeMap<>();
        for (String one : each) {
            String[] parts = one.split(" ", -1);
            sites.put(new WorkerId(Integer.parseInt(parts[0])), parts[1]);
        }
        return sites;
    }
}
