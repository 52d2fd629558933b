package dev.medley.fleet.policy.quota;

import static dev.medley.fleet.policy.quota.SharedFleet.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.medley.base.Seeds;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FairShareTest {
    private static final Demand ONE = Demand.gang(1);
    private static final List<MachineType> FOUR =
            List.of(MachineType.of("fast", 2), MachineType.of("slow", 2));

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    @Test
    @Tag("unit")
    void shouldServeOneAccountAsTheWrappedPolicyWants() {
        FleetView view =
                SharedFleet.view(
                        FOUR,
                        job(1, "a", "ann", 0, ONE),
                        job(2, "a", "ann", 0, new Demand(1, 3)),
                        job(3, "a", "ann", 0, ONE));

        Decision shared = decide(view, ShareOptions.EQUAL, Usage.NONE);

        assertEquals(said(new SharedFleet.ById().decide(view)), said(shared));
    }

    @Test
    @Tag("unit")
    void shouldServeFirstWhoUsedLessByWeightAndThenByUser() {
        FleetView view =
                SharedFleet.view(
                        List.of(MachineType.of("fast", 3), MachineType.of("slow", 0)),
                        job(1, "a", "ann", 0, ONE),
                        job(2, "a", "ann", 0, ONE),
                        job(3, "a", "bob", 0, ONE),
                        job(4, "b", "cid", 0, ONE),
                        job(5, "b", "cid", 0, ONE));
        Usage usage = new Usage(0, Map.of(new Account("a", "ann"), 100.0));

        // b, bob, then b again: its 360 count more than a's 460 of weight 1 only with weight 1.
        assertEquals(Set.of(3L, 4L, 5L), running(decide(view, ShareOptions.EQUAL, usage)));
        ShareOptions heavy =
                new ShareOptions(
                        Map.of("a", new GroupShare(5, Integer.MAX_VALUE)),
                        List.of(),
                        ShareOptions.HALF_LIFE_S);
        Decision decision = decide(view, heavy, usage);
        assertEquals(Set.of(1L, 3L, 4L), running(decision));
        assertTrue(waits(decision, 5).contains("b/cid stands at"), waits(decision, 5));
    }

    @Test
    @Tag("unit")
    void shouldPutPrioritiesBeforeSharesAndHoldQuotas() {
        FleetView view =
                SharedFleet.view(
                        FOUR,
                        job(1, "a", "ann", 0, ONE),
                        job(2, "b", "bob", 5, new Demand(1, 4)),
                        job(3, "b", "bob", 5, ONE),
                        job(4, "b", "bob", 5, ONE));
        ShareOptions quota =
                new ShareOptions(
                        Map.of("b", new GroupShare(1, 2)), List.of(), ShareOptions.HALF_LIFE_S);

        Decision decision = decide(view, quota, new Usage(0, Map.of(new Account("b", "bob"), 1e6)));

        assertEquals(Set.of(1L, 2L, 3L), running(decision));
        assertEquals(2, held(decision, view, "b"));
        assertTrue(waits(decision, 4).contains("group b may hold 2 machines"), waits(decision, 4));
    }

    @Test
    @Tag("unit")
    void shouldKeepReservedMachinesEvenIfNobodyUsesThem() {
        FleetView view =
                SharedFleet.view(
                        FOUR,
                        job(1, "a", "ann", 9, new Demand(1, 4)),
                        job(2, "a", "ann", 9, new Demand(1, 4)));
        Reservation fast = new Reservation("b", "fast", 2, 0, 2000);
        ShareOptions options = new ShareOptions(Map.of(), List.of(fast), ShareOptions.HALF_LIFE_S);

        Decision decision = decide(view, options, Usage.NONE);
        assertEquals(0, decision.grants().get(0).machines()[0]);
        assertEquals(2, held(decision, view, "a"));

        FleetView later = new FleetView(2000, 360, FOUR, view.jobs());
        assertEquals(4, held(decide(later, options, Usage.NONE), later, "a"));
    }

    @Test
    @Tag("unit")
    void shouldHalveUsageInAHalfLife() {
        Account ann = new Account("a", "ann");
        Usage used = Usage.NONE.after(100, Double.POSITIVE_INFINITY, Map.of(ann, 3));
        assertEquals(300, used.of(ann), 1e-9);
        assertEquals(150, used.after(1100, 1000, Map.of()).of(ann), 1e-9);
        // Two steps of time are one of twice the length.
        Usage once = used.after(900, 500, Map.of(ann, 2));
        Usage twice = used.after(500, 500, Map.of(ann, 2)).after(900, 500, Map.of(ann, 2));
        assertEquals(once.of(ann), twice.of(ann), 1e-9);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldCountTheSameFromARecordAsFromRoundToRound(long seed) {
        RandomGenerator random = Seeds.generator(seed, 5);
        double halfLifeS = 50 + random.nextInt(500);
        Account ann = new Account("a", "ann");
        Account bob = new Account("b", "bob");
        Usage usage = Usage.NONE;
        List<Usage.Held> record = new ArrayList<>();
        double nowS = 0;
        for (int round = 0; round < 20; round++) {
            double endS = nowS + random.nextInt(300);
            Map<Account, Integer> held = new HashMap<>();
            for (Account account : List.of(ann, bob)) {
                int machines = random.nextInt(4);
                held.put(account, machines);
                for (int i = 0; i < machines; i++) {
                    record.add(new Usage.Held(account, nowS, endS));
                }
            }
            usage = usage.after(endS, halfLifeS, held);
            nowS = endS;
        }
        Usage whole = Usage.of(nowS, halfLifeS, record);
        assertEquals(usage.of(ann), whole.of(ann), 1e-6);
        assertEquals(usage.of(bob), whole.of(bob), 1e-6);
        // A clock that went back takes nothing away, and gives nothing.
        assertEquals(usage.of(ann), usage.after(nowS - 100, halfLifeS, Map.of(ann, 9)).of(ann));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldNeverGiveMoreThanThereIsOrAQuotaAllows(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        List<MachineType> types =
                List.of(
                        MachineType.of("fast", random.nextInt(6)),
                        MachineType.of("slow", random.nextInt(6)));
        JobView[] jobs = new JobView[random.nextInt(12)];
        for (int i = 0; i < jobs.length; i++) {
            int least = 1 + random.nextInt(3);
            jobs[i] =
                    job(
                            i,
                            "g" + random.nextInt(3),
                            "u" + random.nextInt(3),
                            random.nextInt(2),
                            new Demand(least, least + random.nextInt(3)));
        }
        FleetView view = SharedFleet.view(types, jobs);
        ShareOptions options =
                new ShareOptions(
                        Map.of("g0", new GroupShare(2, 3), "g1", new GroupShare(0.5, 2)),
                        List.of(new Reservation("g2", "fast", 2, 0, 1e9)),
                        ShareOptions.HALF_LIFE_S);

        Decision decision = decide(view, options, Usage.NONE);

        int[] used = new int[2];
        for (Grant grant : decision.grants()) {
            Demand demand = jobs[(int) grant.job()].demand();
            int machines = FleetPart.sum(grant.machines());
            assertTrue(demand.minWorkers() <= machines && machines <= demand.maxWorkers());
            used[0] += grant.machines()[0];
            used[1] += grant.machines()[1];
        }
        assertTrue(used[0] <= types.get(0).machines() && used[1] <= types.get(1).machines());
        assertTrue(held(decision, view, "g0") <= 3 && held(decision, view, "g1") <= 2);
        assertEquals(jobs.length, decision.grants().size() + decision.waiting().size());
        assertEquals(said(decision), said(decide(view, options, Usage.NONE)));
    }

    @Test
    @Tag("property")
    void shouldGiveGroupsMachinesByWeightOverTime() {
        ShareOptions options =
                new ShareOptions(
                        Map.of("a", new GroupShare(3, Integer.MAX_VALUE)),
                        List.of(),
                        ShareOptions.HALF_LIFE_S);
        List<MachineType> two = List.of(MachineType.of("fast", 2), MachineType.of("slow", 0));
        FleetView view =
                SharedFleet.view(
                        two,
                        job(1, "a", "ann", 0, ONE),
                        job(2, "a", "bob", 0, ONE),
                        job(3, "b", "cid", 0, ONE),
                        job(4, "b", "dan", 0, ONE));
        Usage usage = Usage.NONE;
        Map<String, Integer> rounds = new HashMap<>();
        for (int round = 1; round <= 400; round++) {
            Map<Account, Integer> held = new HashMap<>();
            for (Grant grant : decide(view, options, usage).grants()) {
                Account account = Account.of(view.jobs().get((int) grant.job() - 1).terms());
                held.merge(account, 1, Integer::sum);
                rounds.merge(account.group(), 1, Integer::sum);
            }
            usage = usage.after(round * SharedFleet.ROUND_S, 50 * SharedFleet.ROUND_S, held);
        }
        assertEquals(600, rounds.getOrDefault("a", 0), 12);
        assertEquals(200, rounds.getOrDefault("b", 0), 12);
    }

    private static Decision decide(FleetView view, ShareOptions options, Usage usage) {
        return new FairShare(new SharedFleet.ById(), options, usage).decide(view);
    }

    private static String waits(Decision decision, long job) {
        return decision.waiting().getOrDefault(job, "");
    }

    private static Set<Long> running(Decision decision) {
        Set<Long> running = new TreeSet<>();
        decision.grants().forEach(grant -> running.add(grant.job()));
        return running;
    }

    private static int held(Decision decision, FleetView view, String group) {
        int held = 0;
        for (Grant grant : decision.grants()) {
            for (JobView job : view.jobs()) {
                boolean own = job.id() == grant.job() && job.terms().group().equals(group);
                held += own ? FleetPart.sum(grant.machines()) : 0;
            }
        }
        return held;
    }

    private static List<String> said(Decision decision) {
        List<String> said = new ArrayList<>();
        for (Grant grant : decision.grants()) {
            said.add(grant.job() + " " + java.util.Arrays.toString(grant.machines()));
        }
        return said;
    }
}
