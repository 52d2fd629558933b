package dev.medley.api.run;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.cluster.Origin;
import dev.medley.profile.cluster.Way;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The cluster for which a job is planned: a {@link ClusterProfile}, as {@code medley profile
 * --cluster} writes one, and how fast its machines are beside this one.
 *
 * @param machines in an order of their own
 * @param ways between them, row by row; null for ways of which nothing is known
 * @param speeds by the machine's name, where 1 is as fast as the machine that plans; 1 where a
 *     machine is not named. Null for 1 everywhere
 */
public record PlanCluster(
        List<Machine> machines,
        @Nullable List<List<Way>> ways,
        @Nullable Map<String, Double> speeds) {
    private static final long MEMORY_LATENCY_NS = 20_000;
    private static final double MEMORY_BYTES_PER_SECOND = 2e9;

    public PlanCluster {
        machines = List.copyOf(machines);
        speeds = Map.copyOf(Objects.requireNonNullElse(speeds, Map.of()));
        TreeSet<String> unknown = new TreeSet<>(speeds.keySet());
        machines.forEach(machine -> unknown.remove(machine.name()));
        check(
                unknown.isEmpty(),
                "speeds: there is no machine called %s; machines are %s",
                String.join(", ", unknown),
                String.join(", ", machines.stream().map(Machine::name).toList()));
        speeds.forEach(
                (name, speed) ->
                        check(
                                speed > 0 && Double.isFinite(speed),
                                "speeds: %s is %s times as fast as this machine: above 0",
                                name,
                                speed));
    }

    /** Reads the JSON of a cluster. */
    public static PlanCluster read(Path file) {
        try {
            PlanCluster cluster = Json.read(file, PlanCluster.class);
            cluster.profile(); // Says what does not fit before a trial is made for it.
            return cluster;
        } catch (IOException e) {
            throw new ConfigException(
                    "--cluster %s cannot be read: %s".formatted(file, e.getMessage()), e);
        }
    }

    /**
     * Machines like this one that will join; where they stand and how they are linked is assumed.
     */
    static PlanCluster joining(int machines, Machine like) {
        return new PlanCluster(named("machine", machines, like), null, null);
    }

    /** Processes of this machine, which exchange through its memory. */
    static PlanCluster ofProcesses(int workers, Machine like) {
        Way memory = new Way(MEMORY_LATENCY_NS, MEMORY_BYTES_PER_SECOND, Origin.ASSUMED);
        List<Way> row = IntStream.range(0, workers).mapToObj(i -> memory).toList();
        return new PlanCluster(
                named("worker", workers, like),
                IntStream.range(0, workers).mapToObj(i -> row).toList(),
                null);
    }

    /** Machines and ways; what is not known of ways is assumed. */
    public ClusterProfile profile() {
        List<List<Way>> known = ways;
        return known == null
                ? ClusterProfile.assumed(machines)
                : new ClusterProfile(machines, known);
    }

    /** How much faster than this machine. */
    double speed(Machine machine) {
        return speeds == null ? 1 : speeds.getOrDefault(machine.name(), 1.0);
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
