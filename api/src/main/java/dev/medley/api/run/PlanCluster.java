package dev.medley.api.run;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.job.ClusterFile;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.control.simulator.MachineKind;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.cluster.Origin;
import dev.medley.profile.cluster.Prices;
import dev.medley.profile.cluster.Way;
import dev.medley.profile.speed.StepTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The cluster for which a job is planned: its machines, the ways between them, and how fast each is
 * by itself or beside the machine that plans.
 *
 * @param profile machines and ways; what is not known of ways is assumed
 * @param speeds of each machine, in the profile's order
 * @param prices that are said with it; null for none
 */
public record PlanCluster(
        ClusterProfile profile, List<PlannedSpeed> speeds, @Nullable Prices prices) {
    private static final long MEMORY_LATENCY_NS = 20_000;
    private static final double MEMORY_BYTES_PER_SECOND = 2e9;

    /**
     * How fast a machine is.
     *
     * @param beside how many times as fast as the machine that plans; 1 where {@code time} is known
     * @param time of a step; null where that machine's trial says it
     */
    public record PlannedSpeed(double beside, @Nullable StepTime time) {
        private static final PlannedSpeed EQUAL = new PlannedSpeed(1, null);

        /** A step's time where a sample takes the machine that plans so long. */
        StepTime time(double sampleNs) {
            return time == null ? new StepTime(0, sampleNs / beside) : time;
        }

        /** As a plan says it behind the machine's name; nothing for a machine like this one. */
        String words() {
            if (time != null) {
                return " " + String.format(Locale.ROOT, "%,.0f/s", 1e9 / time.betaNs());
            }
            return beside == 1 ? "" : " " + String.format(Locale.ROOT, "%.2fx", beside);
        }
    }

    /**
     * JSON that {@code medley profile --cluster} and runs write ({@link ClusterProfile}), perhaps
     * with speeds beside this machine by the machine's name.
     */
    private record Written(
            List<Machine> machines,
            @Nullable List<List<Way>> ways,
            @Nullable Map<String, Double> speeds) {
        PlanCluster planned() {
            Map<String, Double> known = Objects.requireNonNullElse(speeds, Map.of());
            TreeSet<String> unknown = new TreeSet<>(known.keySet());
            machines.forEach(machine -> unknown.remove(machine.name()));
            check(
                    unknown.isEmpty(),
                    "speeds: there is no machine called %s; machines are %s",
                    String.join(", ", unknown),
                    String.join(", ", machines.stream().map(Machine::name).toList()));
            known.forEach(
                    (name, speed) ->
                            check(
                                    speed > 0 && Double.isFinite(speed),
                                    "speeds: %s is %s times as fast as this machine: above 0",
                                    name,
                                    speed));
            ClusterProfile profile =
                    ways == null
                            ? ClusterProfile.assumed(machines)
                            : new ClusterProfile(machines, ways);
            List<PlannedSpeed> each =
                    machines.stream()
                            .map(m -> new PlannedSpeed(known.getOrDefault(m.name(), 1.0), null))
                            .toList();
            return new PlanCluster(profile, each, null);
        }
    }

    public PlanCluster {
        speeds = List.copyOf(speeds);
        check(
                speeds.size() == profile.size(),
                "%d speeds for %d machines",
                speeds.size(),
                profile.size());
    }

    /**
     * Reads a cluster file as {@code medley simulate} takes it, or a file whose name ends with
     * {@code .json}: a cluster that was measured.
     */
    public static PlanCluster read(Path file) {
        if (!file.toString().endsWith(".json")) {
            return of(ClusterFile.toPlanFor(file));
        }
        try {
            return Json.read(file, Written.class).planned();
        } catch (IOException e) {
            throw new ConfigException(
                    "--cluster %s cannot be read: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static PlanCluster of(ClusterFile file) {
        List<PlannedSpeed> speeds = new ArrayList<>();
        for (MachineKind kind : file.cluster().kinds()) {
            Double beside = file.beside().get(kind.machine().name());
            PlannedSpeed each =
                    beside == null
                            ? new PlannedSpeed(1, kind.time())
                            : new PlannedSpeed(beside, null);
            IntStream.range(0, kind.count()).forEach(i -> speeds.add(each));
        }
        return new PlanCluster(file.cluster().profile(), speeds, file.prices());
    }

    /**
     * Machines like this one that will join; where they stand and how they are linked is assumed.
     */
    static PlanCluster joining(int machines, Machine like) {
        return alike(ClusterProfile.assumed(named("machine", machines, like)));
    }

    /** Processes of this machine, which exchange through its memory. */
    static PlanCluster ofProcesses(int workers, Machine like) {
        Way memory = new Way(MEMORY_LATENCY_NS, MEMORY_BYTES_PER_SECOND, Origin.ASSUMED);
        List<Way> row = IntStream.range(0, workers).mapToObj(i -> memory).toList();
        return alike(
                new ClusterProfile(
                        named("worker", workers, like),
                        IntStream.range(0, workers).mapToObj(i -> row).toList()));
    }

    private static PlanCluster alike(ClusterProfile profile) {
        List<PlannedSpeed> equal =
                IntStream.range(0, profile.size()).mapToObj(i -> PlannedSpeed.EQUAL).toList();
        return new PlanCluster(profile, equal, null);
    }

    /** Its machines. */
    List<Machine> machines() {
        return profile.machines();
    }

    private static List<Machine> named(String word, int count, Machine like) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(
                        i ->
                                new Machine(
                                        word + " " + i,
                                        Member.NO_SITE,
                                        like.type(),
                                        like.memoryBytes(),
                                        like.pricePerHour()))
                .toList();
    }
}
