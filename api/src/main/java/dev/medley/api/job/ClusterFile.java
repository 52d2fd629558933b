package dev.medley.api.job;

import dev.medley.api.schema.JobSchema;
import dev.medley.api.yaml.Quantity;
import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import dev.medley.plan.simulator.fabric.Disturbance;
import dev.medley.plan.simulator.fabric.SimulatedCluster;
import dev.medley.plan.simulator.fabric.SimulatedLink;
import dev.medley.plan.simulator.fabric.SimulatedLinks;
import dev.medley.plan.simulator.fabric.SimulatedMachine;
import dev.medley.plan.simulator.fabric.SlowSpell;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.cluster.Origin;
import dev.medley.profile.cluster.Prices;
import dev.medley.profile.speed.StepTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cluster file: machines and links to simulate or to plan for, and what they cost ({@code
 * docs/simulate.md}). Whatever is wrong with it is one {@link ConfigException} with a line {@code
 * file:line:column: message} for each error, in order.
 *
 * @param cluster machines and links
 * @param prices of machines and traffic; null where the file has none
 * @param beside entries whose speed is given relative to the machine that plans, by name: 1 for as
 *     fast as it is. Their time in {@code cluster} means nothing
 */
public record ClusterFile(
        SimulatedCluster cluster, @Nullable Prices prices, Map<String, Double> beside) {
    private static final String INSIDE = "inside";
    private static final String BETWEEN = "between";
    private static final long USUAL_MEMORY_BYTES = 16L << 30;
    private static final double NS_PER_MS = 1e6;

    /** In place of a time that {@code beside} says. */
    private static final StepTime SAID_BESIDE = new StepTime(0, 1);

    public ClusterFile {
        beside = Map.copyOf(beside);
    }

    /** The reader of a file, which decides what a machine may be compared with. */
    private enum Reader {
        SIMULATOR,
        PLANNER
    }

    /** Reads the text of one file. */
    private static final class Reading {
        private final Section root;
        private final Map<String, StepTime> speeds;
        private final Reader reader;
        private final Map<String, Double> beside = new HashMap<>();
        private final List<SlowSpell> spells = new ArrayList<>();

        Reading(Section root, Map<String, StepTime> speeds, Reader reader) {
            this.root = root;
            this.speeds = speeds;
            this.reader = reader;
        }

        SimulatedLinks links(Set<String> sites) {
            Section links = root.section("links");
            Map<SimulatedLinks.Pair, SimulatedLink> pairs = new HashMap<>();
            for (String key : links.keys()) {
                if (!key.equals(INSIDE) && !key.equals(BETWEEN)) {
                    SimulatedLinks.Pair pair = pair(links, key, sites);
                    if (pair != null) {
                        pairs.put(pair, link(links.section(key)));
                    }
                }
            }
            LinkPath inside =
                    links.has(INSIDE) ? way(links.section(INSIDE)) : LinkPath.assumedInside();
            SimulatedLink between =
                    links.has(BETWEEN)
                            ? link(links.section(BETWEEN))
                            : SimulatedLink.of(LinkPath.assumedBetween());
            return new SimulatedLinks(inside, between, pairs);
        }

        private static SimulatedLinks.@Nullable Pair pair(
                Section links, String key, Set<String> sites) {
            Set<String> known = new LinkedHashSet<>(List.of(INSIDE, BETWEEN));
            for (String one : sites) {
                for (String other : sites) {
                    if (!one.isEmpty() && !other.isEmpty() && !one.equals(other)) {
                        if (key.equals(one + "-" + other)) {
                            return new SimulatedLinks.Pair(one, other);
                        }
                        known.add(new SimulatedLinks.Pair(one, other).toString());
                    }
                }
            }
            Optional<String> meant = DidYouMean.of(key, known);
            links.complain(
                    key,
                    "links.%s: no two sites with machines are called so; %s%s"
                            .formatted(
                                    key,
                                    meant.map(m -> "did you mean %s?".formatted(m))
                                            .orElse("there are " + String.join(", ", known)),
                                    sites.contains("") ? "; a machine has no site" : ""));
            return null;
        }

        private static SimulatedLink link(Section link) {
            double jitterNs = link.duration("jitter", 0);
            return new SimulatedLink(way(link), jitterNs, link.number("loss", 0));
        }

        private static LinkPath way(Section link) {
            double rate = bandwidth(link, 1);
            return new LinkPath(link.duration("latency", 0), rate, Origin.DECLARED);
        }

        private static double bandwidth(Section section, double absent) {
            if (!section.has("bandwidth")) {
                return absent;
            }
            double rate = Quantity.bytesPerSecond(section.text("bandwidth", ""));
            if (rate > 0) {
                return rate;
            }
            section.complain(
                    "bandwidth",
                    "%s: 0 moves nothing; leave out what is not linked, or write for example 100"
                                    .formatted(section.path("bandwidth"))
                            + " Mbit/s");
            return absent;
        }

        List<SimulatedMachine> kinds(double insideBytesPerSecond) {
            List<SimulatedMachine> kinds = new ArrayList<>();
            Map<String, Integer> names = new HashMap<>();
            for (Section entry : root.sections("machines")) {
                String name = entry.text("name", "");
                Integer before = names.put(name, kinds.size());
                if (before != null) {
                    entry.complain(
                            "name",
                            "%s: %s is the name of machines[%d] too; give each its own"
                                    .formatted(entry.path("name"), name, before));
                }
                kinds.add(kind(entry, name, insideBytesPerSecond));
            }
            return kinds;
        }

        private SimulatedMachine kind(Section entry, String name, double insideBytesPerSecond) {
            String type = entry.text("type", name);
            Machine machine =
                    new Machine(
                            name,
                            entry.text("site", ""),
                            type,
                            Math.max(1, entry.size("memory", USUAL_MEMORY_BYTES)),
                            entry.numberOrNull("price_per_hour"));
            if (entry.has("slow")) {
                spells.add(spell(name, entry.section("slow")));
            }
            return new SimulatedMachine(
                    machine,
                    entry.count("count", 1),
                    time(entry, name, type),
                    bandwidth(entry, insideBytesPerSecond),
                    unrest(entry));
        }

        private static SlowSpell spell(String name, Section slow) {
            double forNs = slow.duration("for", 1);
            if (forNs == 0) {
                slow.complain("for", slow.path("for") + ": above 0, for example 1m");
            }
            return new SlowSpell(
                    name, slow.duration("from", 0), Math.max(1, forNs), slow.number("times", 2));
        }

        private StepTime time(Section entry, String name, String type) {
            StepTime known = speeds.get(type);
            Section speed = entry.section("speed");
            if (!entry.has("speed") && known != null) {
                return known;
            }
            if (!entry.has("speed")) {
                entry.complain("name", name + " has no speed; add" + example());
                return SAID_BESIDE;
            }
            if (speed.isWord()) {
                return beside(entry, name, speed.word());
            }
            boolean byRate = speed.has("samples_per_second");
            boolean byLine = speed.has("alpha_ms") || speed.has("beta_ms");
            if (!speed.isNumber() && (byRate == byLine || (byLine && !speed.has("beta_ms")))) {
                entry.complain(
                        "speed",
                        "%s: either samples_per_second, or beta_ms and alpha_ms"
                                .formatted(entry.path("speed")));
            }
            if (byLine) {
                return new StepTime(
                        speed.number("alpha_ms", 0) * NS_PER_MS,
                        speed.number("beta_ms", 1) * NS_PER_MS);
            }
            double rate =
                    speed.isNumber() ? speed.asNumber() : speed.number("samples_per_second", 1);
            return new StepTime(0, 1e9 / rate);
        }

        private StepTime beside(Section entry, String name, String times) {
            beside.put(name, Quantity.times(times));
            if (reader == Reader.SIMULATOR) {
                entry.complain(
                        "speed",
                        "%s is beside the machine that plans, and a simulation asks none; write%s"
                                .formatted(times, example()));
            }
            return SAID_BESIDE;
        }

        private String example() {
            String beside = reader == Reader.PLANNER ? ", or 1x: as fast as this machine" : "";
            return " for example speed: 1200 (samples a second%s)%s"
                    .formatted(beside, typesKnown());
        }

        private String typesKnown() {
            return speeds.isEmpty()
                    ? ""
                    : ", or a type whose speed the model's profile has: "
                            + String.join(", ", speeds.keySet().stream().sorted().toList());
        }

        private static Disturbance unrest(Section entry) {
            Disturbance none = Disturbance.NONE;
            Section pause = entry.section("pause");
            Section lost = entry.section("lost");
            return new Disturbance(
                    entry.number("variation", none.variation()),
                    pause.duration("every", none.pauseEveryNs()),
                    pause.duration("length", none.pauseNs()),
                    entry.number("quota", none.quota()),
                    Math.max(1, entry.duration("quota_period", none.periodNs())),
                    lost.duration("every", none.lostEveryNs()),
                    lost.duration("for", none.returnNs()));
        }

        /** Either every machine has a price, or none; half a bill would mislead. */
        @Nullable Prices prices() {
            List<Section> machines = root.sections("machines");
            boolean isPriced =
                    root.has("egress_per_gb")
                            || root.has("currency")
                            || machines.stream().anyMatch(m -> m.has("price_per_hour"));
            if (!isPriced) {
                return null;
            }
            for (Section machine : machines) {
                if (!machine.has("price_per_hour")) {
                    machine.complain(
                            "name",
                            "%s has no price_per_hour, but there are prices in this file: give"
                                            .formatted(machine.text("name", ""))
                                    + " every machine one, if only 0");
                }
            }
            return new Prices(
                    root.text("currency", "USD"), Map.of(), root.number("egress_per_gb", 0));
        }
    }

    /**
     * Reads a cluster file to simulate it.
     *
     * @param file UTF-8 YAML
     * @param speeds of machines that say a type and no speed, by that type
     */
    public static ClusterFile read(Path file, Map<String, StepTime> speeds) {
        return parse(file.toString(), JobFile.text(file), speeds);
    }

    /** The same of a text; {@code file} is its name for messages. */
    public static ClusterFile parse(String file, String text, Map<String, StepTime> speeds) {
        return read(file, text, speeds, Reader.SIMULATOR);
    }

    /** Reads a cluster file to plan for it: speeds may be beside the machine that plans. */
    public static ClusterFile toPlanFor(Path file) {
        return read(file.toString(), JobFile.text(file), Map.of(), Reader.PLANNER);
    }

    private static ClusterFile read(
            String file, String text, Map<String, StepTime> speeds, Reader reader) {
        CheckedYaml yaml =
                CheckedYaml.parse(
                        file, text, JobSchema.ofClusters(), "a cluster has machines: and links:");
        Section root = yaml.root();
        Reading reading = new Reading(root, speeds, reader);
        Set<String> sites = new LinkedHashSet<>();
        root.sections("machines").forEach(machine -> sites.add(machine.text("site", "")));
        SimulatedLinks links = reading.links(sites);
        List<SimulatedMachine> kinds = reading.kinds(links.inside().bytesPerSecond());
        Prices prices = reading.prices();
        yaml.throwIfAny();
        return new ClusterFile(
                new SimulatedCluster(kinds, links, reading.spells), prices, reading.beside);
    }

    /** "did you mean x? " if a word is near to one of some; else nothing. */
    public static String meant(String word, List<String> words) {
        return DidYouMean.of(word, words).map("did you mean %s? "::formatted).orElse("");
    }
}
