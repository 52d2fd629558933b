package dev.medley.api.plan;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.job.ClusterFile;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.plan.simulator.fabric.SimulatedMachine;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.cluster.Prices;
import dev.medley.profile.speed.StepTime;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cluster for which a job is planned: its machines, their links, and the speed of each,
 * absolute or relative to the planning machine.
 *
 * @param profile machines and links; what is not known of links is assumed
 * @param speeds of each machine, in the profile's order
 * @param prices that are given with it; null for none
 */
public record PlanCluster(
        ClusterProfile profile, List<PlannedSpeed> speeds, @Nullable Prices prices) {
    /** So many machines have a million ways between them. */
    private static final int MOST_MACHINES = 1024;

    /**
     * How fast a machine is: by itself, or beside the machine that plans.
     *
     * @param beside how many times as fast as the machine that plans; 1 where its own is known
     * @param own time of a step; null where the trial of the machine that plans says it
     */
    public record PlannedSpeed(double beside, @Nullable StepTime own) {
        private static final PlannedSpeed EQUAL = beside(1);

        public PlannedSpeed {
            check(
                    beside > 0 && Double.isFinite(beside),
                    "%s times as fast as this machine: above 0",
                    beside);
        }

        /** So many times as fast as the machine that plans. */
        static PlannedSpeed beside(double times) {
            return new PlannedSpeed(times, null);
        }

        /** That of a machine whose steps take so long. */
        static PlannedSpeed known(StepTime time) {
            return new PlannedSpeed(1, time);
        }

        /** A step's time where a sample takes the machine that plans so long. */
        StepTime time(double sampleNs) {
            return own == null ? new StepTime(0, sampleNs / beside) : own;
        }

        /** As a plan says it behind the machine's name; nothing for a machine like this one. */
        String words() {
            if (own == null) {
                return beside == 1 ? "" : say(beside < 0.01 ? " %.2gx" : " %.2fx", beside);
            }
            return own.alphaNs() == 0
                    ? say(" %,.4g/s", 1e9 / own.betaNs())
                    : say(" %.3g ms + %.3g ms a sample", own.alphaNs() / 1e6, own.betaNs() / 1e6);
        }

        private static String say(String format, Object... values) {
            return String.format(Locale.ROOT, format, values);
        }
    }

    /**
     * JSON that {@code medley profile --cluster} and runs write ({@link ClusterProfile}), perhaps
     * with speeds beside this machine by the machine's name.
     */
    private record Written(
            @Nullable List<Machine> machines,
            @Nullable List<List<LinkPath>> ways,
            @Nullable Map<String, Double> speeds) {
        PlanCluster planned() {
            List<Machine> all = Objects.requireNonNullElse(machines, List.of());
            Map<String, Double> known = Objects.requireNonNullElse(speeds, Map.of());
            check(
                    Stream.concat(all.stream(), known.values().stream()).noneMatch(Objects::isNull),
                    "a machine or a speed is null");
            TreeSet<String> unknown = new TreeSet<>(known.keySet());
            all.forEach(machine -> unknown.remove(machine.name()));
            check(
                    unknown.isEmpty(),
                    "speeds: there is no machine called %s; machines are %s",
                    String.join(", ", unknown),
                    String.join(", ", all.stream().map(Machine::name).toList()));
            return new PlanCluster(
                    ways == null ? ClusterProfile.assumed(all) : new ClusterProfile(all, ways),
                    all.stream()
                            .map(m -> PlannedSpeed.beside(known.getOrDefault(m.name(), 1.0)))
                            .toList(),
                    null);
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
        if (!file.toString().toLowerCase(Locale.ROOT).endsWith(".json")) {
            return of(file, ClusterFile.toPlanFor(file));
        }
        Written written;
        try {
            written = Json.read(file, Written.class);
        } catch (NoSuchFileException e) {
            throw new ConfigException("--cluster %s: there is no such file".formatted(file), e);
        } catch (IOException e) {
            throw new ConfigException(
                    "--cluster %s cannot be read: %s".formatted(file, e.getMessage()), e);
        } catch (ConfigException e) {
            throw new ConfigException(
                    e.getMessage()
                            + " (the name of a cluster file, which is YAML, ends with .yaml)",
                    e);
        }
        return named(file, written::planned);
    }

    private static PlanCluster of(Path file, ClusterFile read) {
        int size = read.cluster().size();
        check(
                size <= MOST_MACHINES,
                "%s: %d machines: a plan looks at each way between two of %d at most; medley"
                        + " simulate takes more",
                file,
                size,
                MOST_MACHINES);
        List<PlannedSpeed> speeds = new ArrayList<>();
        for (SimulatedMachine kind : read.cluster().kinds()) {
            Double beside = read.beside().get(kind.machine().name());
            PlannedSpeed each =
                    beside == null ? PlannedSpeed.known(kind.time()) : PlannedSpeed.beside(beside);
            speeds.addAll(Collections.nCopies(kind.count(), each));
        }
        return named(file, () -> new PlanCluster(read.cluster().profile(), speeds, read.prices()));
    }

    /** Says of what does not fit in which file it stands. */
    private static PlanCluster named(Path file, Supplier<PlanCluster> cluster) {
        try {
            return cluster.get();
        } catch (ConfigException e) {
            throw new ConfigException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Machines like this one that will join; where they stand and how they are linked is assumed.
     */
    static PlanCluster joining(int machines, Machine like) {
        return alike(ClusterProfile.assumed(named("machine", machines, like)));
    }

    private static PlanCluster alike(ClusterProfile profile) {
        return new PlanCluster(
                profile, Collections.nCopies(profile.size(), PlannedSpeed.EQUAL), null);
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
