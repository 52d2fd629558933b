package dev.medley.plan.simulator.round;

import dev.medley.plan.simulator.fabric.Costs;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Moves gradients and parameters between workers and the servers of their site, and between servers
 * of two sites that hold the same part. A letter takes time on the sender's core, and then on the
 * receiver's. A worker that is a server needs no letter to itself.
 */
final class ServerLetters {
    private final EventQueue events;
    private final Fabric fabric;
    private final ServerPanel servers;
    private final double bytes;
    private final int[] turns;

    /**
     * Letters to these servers and from them.
     *
     * @param bytes of all parameters, of which they hold a part
     */
    ServerLetters(EventQueue events, Fabric fabric, ServerPanel servers, double bytes) {
        this.events = events;
        this.fabric = fabric;
        this.servers = servers;
        this.bytes = bytes * servers.part();
        this.turns = IntStream.range(0, fabric.size()).toArray();
    }

    /** A worker's gradient to the servers of its site. */
    void push(int rank, Runnable then) {
        int server = inTurn(rank);
        events.at(
                handled(rank, letterNs(rank)),
                () -> move(rank, server, rank, () -> events.at(served(server, rank), then)));
    }

    /** The parameters from the servers of its site to a worker. */
    void answer(int rank, Runnable then) {
        int server = inTurn(rank);
        events.at(
                served(server, rank),
                () ->
                        move(
                                server,
                                rank,
                                rank,
                                () -> events.at(handled(rank, letterNs(rank)), then)));
    }

    /**
     * The rank that stands for all servers of a worker's site that a letter goes to, or comes from:
     * each of the others in turn, so that all have the same to do; the worker itself where there is
     * none.
     */
    private int inTurn(int rank) {
        List<Integer> others =
                servers.at(fabric.siteOf(rank)).stream().filter(of -> of != rank).toList();
        return others.isEmpty() ? rank : others.get(turns[rank]++ % others.size());
    }

    /**
     * What is at home at another site goes there.
     *
     * @param codedPart what the codec leaves of a byte, 1 for none
     */
    void forward(int from, int home, double codedPart, Runnable then) {
        if (from == home) {
            events.at(events.nowNs(), then);
        } else {
            double coded = codedPart < 1 ? atHome(home) / servers.at(from).size() : 0;
            double codedNs = coded * Costs.CODED_BYTE_NS;
            cross(from, home, atHome(home) * codedPart, codedNs, then);
        }
    }

    /** What is at home at a site, or word that nothing changed, goes to the servers of another. */
    void bring(int home, int to, boolean isChanged, Runnable then) {
        if (home == to) {
            events.at(events.nowNs(), then);
        } else {
            cross(home, to, isChanged ? atHome(home) : 0, 0, then);
        }
    }

    private void move(int from, int to, int worker, Runnable then) {
        double now = events.nowNs();
        events.at(from == to ? now : fabric.delivered(from, to, now, letterBytes(worker)), then);
    }

    private void cross(int from, int to, double length, double codedNs, Runnable then) {
        List<Integer> senders = servers.at(from);
        List<Integer> takers = servers.at(to);
        double sentNs = length / senders.size() * Costs.LETTER_BYTE_NS;
        double takenNs = length / takers.size() * Costs.LETTER_BYTE_NS + Costs.MESSAGE_NS;
        events.at(
                handledAt(from, codedNs + sentNs),
                () ->
                        events.at(
                                fabric.crossed(senders, takers, events.nowNs(), length),
                                () -> events.at(handledAt(to, takenNs), then)));
    }

    /** What each end of a worker's letters takes, one to each server. */
    private double letterNs(int rank) {
        int others = servers.others(fabric.siteOf(rank), rank);
        return letterBytes(rank) * Costs.LETTER_BYTE_NS + others * Costs.MESSAGE_NS;
    }

    /** When who serves a worker has dealt with its letter. */
    private double served(int server, int rank) {
        return handled(server, server == rank ? 0 : letterNs(rank));
    }

    /** When each server of a site has dealt with what takes so much of its core. */
    private double handledAt(int site, double coreNs) {
        return servers.at(site).stream()
                .mapToDouble(rank -> handled(rank, coreNs))
                .max()
                .orElseThrow();
    }

    private double handled(int rank, double coreNs) {
        return coreNs > 0 ? fabric.processor(rank).handled(events.nowNs(), coreNs) : events.nowNs();
    }

    /** Bytes that a worker sends to others, or gets from them. */
    private double letterBytes(int rank) {
        int site = fabric.siteOf(rank);
        return bytes * servers.others(site, rank) / servers.at(site).size();
    }

    /** Bytes that are at home at a site: in proportion to its machines. */
    private double atHome(int site) {
        return bytes * fabric.sites().at(site).size() / fabric.size();
    }
}
