package dev.medley.plan.simulator.fabric;

import dev.medley.base.Seeds;
import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.SiteMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Holds the machines and links of one simulation, with the traffic on them. Ranks stand in the
 * order of their sites, as a group's ring goes.
 */
public final class Fabric {
    private final List<SimulatedMachine> ranks = new ArrayList<>();
    private final List<Integer> siteOf = new ArrayList<>();
    private final List<Processor> processors = new ArrayList<>();
    private final List<Pipe> out = new ArrayList<>();
    private final List<Pipe> in = new ArrayList<>();
    private final List<String> names;
    private final SiteMap sites;
    private final SimulatedLinks links;
    private final Pipe[][] between;

    /** A cluster at rest, whose chance the seed determines. */
    public Fabric(SimulatedCluster cluster, long seed) {
        links = cluster.links();
        names = cluster.sites();
        List<List<Integer>> bySite = new ArrayList<>();
        for (String site : names) {
            int first = ranks.size();
            cluster.kinds().stream()
                    .filter(kind -> kind.machine().site().equals(site))
                    .forEach(
                            kind ->
                                    add(
                                            kind,
                                            bySite.size(),
                                            cluster.spellsOf(kind.machine().name()),
                                            seed));
            bySite.add(IntStream.range(first, ranks.size()).boxed().toList());
        }
        sites = new SiteMap(bySite);
        between = new Pipe[names.size()][names.size()];
        for (int from = 0; from < names.size(); from++) {
            for (int to = 0; to < names.size(); to++) {
                if (from != to) {
                    long here = names.get(from).hashCode();
                    long drawn = Seeds.of(seed, here, names.get(to).hashCode());
                    between[from][to] = Pipe.between(link(from, to), drawn);
                }
            }
        }
    }

    /** Some of the machines by themselves; what is on them and their connections is shared. */
    private Fabric(Fabric whole, List<Integer> members) {
        links = whole.links;
        List<Integer> old = members.stream().map(whole.siteOf::get).distinct().toList();
        names = old.stream().map(whole.names::get).toList();
        List<List<Integer>> bySite = new ArrayList<>();
        old.forEach(site -> bySite.add(new ArrayList<>()));
        for (int rank : members) {
            int site = old.indexOf(whole.siteOf.get(rank));
            bySite.get(site).add(ranks.size());
            siteOf.add(site);
            ranks.add(whole.ranks.get(rank));
            processors.add(whole.processors.get(rank));
            out.add(whole.out.get(rank));
            in.add(whole.in.get(rank));
        }
        sites = new SiteMap(bySite);
        between = new Pipe[names.size()][names.size()];
        for (int from = 0; from < names.size(); from++) {
            for (int to = 0; to < names.size(); to++) {
                between[from][to] = whole.between[old.get(from)][old.get(to)];
            }
        }
    }

    /** The machines of one site by themselves, ranks from 0. */
    public Fabric ofSite(int site) {
        return new Fabric(this, sites.at(site));
    }

    /** Some of the machines by themselves, in the order of their ranks, ranks from 0. */
    public Fabric of(List<Integer> members) {
        return new Fabric(this, members);
    }

    private void add(SimulatedMachine kind, int site, List<SlowSpell> spells, long seed) {
        long name = kind.machine().name().hashCode();
        for (int i = 0; i < kind.count(); i++) {
            double phase = Seeds.generator(seed, name, i).nextDouble();
            List<SlowSpell> own = i == 0 ? spells : List.of();
            ranks.add(kind);
            siteOf.add(site);
            processors.add(new Processor(kind.unrest(), phase));
            out.add(Pipe.ofMachine(kind.bytesPerSecond(), own));
            in.add(Pipe.ofMachine(kind.bytesPerSecond(), own));
        }
    }

    /** How many machines there are. */
    public int size() {
        return ranks.size();
    }

    /** The kind of a rank's machine. */
    public SimulatedMachine kind(int rank) {
        return ranks.get(rank);
    }

    /** Which ranks are at which site. */
    public SiteMap sites() {
        return sites;
    }

    /** Of the sites, in order. */
    public List<String> siteNames() {
        return names;
    }

    /** The site of a rank. */
    public int siteOf(int rank) {
        return siteOf.get(rank);
    }

    /** The processor of a rank's machine. */
    public Processor processor(int rank) {
        return processors.get(rank);
    }

    /** The pipe from one rank to another. */
    public Pipe between(int from, int to) {
        return between[from][to];
    }

    /** In the mean. */
    public double latencyNs(int fromSite, int toSite) {
        return fromSite == toSite
                ? links.inside().latencyNs()
                : link(fromSite, toSite).way().latencyNs();
    }

    /** How long this message is on its way between two sites, or within one. */
    public double wayNs(int fromSite, int toSite, double bytes) {
        return fromSite == toSite
                ? links.inside().latencyNs()
                : between[fromSite][toSite].wayNs(bytes);
    }

    private SimulatedLink link(int from, int to) {
        return links.between(names.get(from), names.get(to));
    }

    /** What one stream gets from one rank to another at a moment, if nothing else is on the way. */
    public double bytesPerSecond(int from, int to, double nowNs) {
        double own =
                Math.min(out.get(from).bytesPerSecond(nowNs), in.get(to).bytesPerSecond(nowNs));
        int here = siteOf(from);
        int there = siteOf(to);
        return here == there ? own : Math.min(own, between[here][there].bytesPerSecond(nowNs));
    }

    /** Bytes that a rank has sent since the beginning. */
    public double sentBytes(int rank) {
        return out.get(rank).bytes();
    }

    /** When so many bytes have left a rank and as many, or more, have come to it. */
    public double exchanged(int rank, double nowNs, double outBytes, double inBytes) {
        double sent = outBytes > 0 ? out.get(rank).send(nowNs, outBytes) : nowNs;
        double received = inBytes > 0 ? in.get(rank).send(nowNs, inBytes) : nowNs;
        return Math.max(sent, received);
    }

    /**
     * When so many bytes are at another site, that some machines of one send as evenly to some of
     * the other; they begin now.
     */
    public double crossed(List<Integer> senders, List<Integer> takers, double nowNs, double bytes) {
        int from = siteOf.get(senders.get(0));
        int to = siteOf.get(takers.get(0));
        int connections = Math.min(senders.size(), takers.size());
        double last = between[from][to].send(nowNs, bytes, connections);
        for (int rank : senders) {
            last = Math.max(last, exchanged(rank, nowNs, bytes / senders.size(), 0));
        }
        for (int rank : takers) {
            last = Math.max(last, exchanged(rank, nowNs, 0, bytes / takers.size()));
        }
        return last + wayNs(from, to, bytes / connections);
    }

    /** When a message is there that leaves now. */
    public double delivered(int from, int to, double nowNs, double bytes) {
        double sent = out.get(from).send(nowNs, bytes);
        double received = in.get(to).send(nowNs, bytes);
        int here = siteOf(from);
        int there = siteOf(to);
        double crossed = here == there ? nowNs : between[here][there].send(nowNs, bytes);
        return Math.max(Math.max(sent, received), crossed) + wayNs(here, there, bytes);
    }

    /** What the members of the group find when they ping each other while it forms. */
    public LinkFigures measured() {
        double farthest = 0;
        for (int from = 0; from < names.size(); from++) {
            for (int to = 0; to < names.size(); to++) {
                farthest = Math.max(farthest, from == to ? 0 : latencyNs(from, to));
            }
        }
        return LinkFigures.assumed().measuring(links.inside().latencyNs(), (long) farthest);
    }

    /** What they find of their only site, rounded down to powers of two as they round it. */
    public LinkFigures inside() {
        double slowest = links.inside().bytesPerSecond();
        for (SimulatedMachine kind : ranks) {
            slowest = Math.min(slowest, kind.bytesPerSecond());
        }
        LinkFigures assumed = LinkFigures.assumed();
        return new LinkFigures(
                Long.highestOneBit(Math.max(1, links.inside().latencyNs())),
                Long.highestOneBit((long) slowest),
                assumed.betweenLatencyNs(),
                assumed.betweenBytesPerSecond(),
                LinkFigures.Origin.MEASURED,
                LinkFigures.Origin.MEASURED);
    }

    /**
     * Bytes that moved inside sites since the beginning: what left machines and crossed no border.
     * Whole ones, since parts of them add up otherwise in another order.
     */
    public double movedInside() {
        double left = out.stream().mapToDouble(Pipe::bytes).sum();
        double crossed = crossed().values().stream().mapToDouble(bytes -> bytes).sum();
        return Math.max(0, Math.rint(left - crossed));
    }

    /** Bytes over each pair of sites, both ways together, since the beginning. */
    public Map<SimulatedLinks.Pair, Double> crossed() {
        TreeMap<SimulatedLinks.Pair, Double> bytes =
                new TreeMap<>(java.util.Comparator.comparing(SimulatedLinks.Pair::toString));
        for (int from = 0; from < names.size(); from++) {
            for (int to = 0; to < names.size(); to++) {
                if (from != to) {
                    bytes.merge(
                            new SimulatedLinks.Pair(names.get(from), names.get(to)),
                            between[from][to].bytes(),
                            Double::sum);
                }
            }
        }
        return bytes;
    }
}
