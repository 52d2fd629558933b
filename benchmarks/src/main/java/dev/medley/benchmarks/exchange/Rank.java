package dev.medley.benchmarks.exchange;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.StepTag;
import dev.medley.base.WorkerId;
import dev.medley.base.memory.ElementType;
import dev.medley.base.route.Scheme;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.time.Clock;
import dev.medley.exchange.Collective;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.exchange.ExchangeOptions;
import dev.medley.exchange.ExchangeTimes;
import dev.medley.exchange.Formation;
import dev.medley.exchange.sum.Fidelity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs one rank of the benchmark: a process driven by lines on standard input, the same that
 * gloo_allreduce.py understands. It first reports its port and is told those of all. With more than
 * one host each is told as site@address:port, and the rank listens on all addresses, on {@code
 * -Dport}; {@code -Dschemes} names the schemes between sites, {@code -Dcompress} the codec, {@code
 * -Dslices} cuts each sum into that many.
 */
public final class Rank {
    private static final long BUFFER_BYTES = 100L << 20;
    private static final int DIRECT_BYTES = Integer.getInteger("directBytes", 0);
    private static final int SEGMENT_BYTES = Integer.getInteger("segmentBytes", 0);
    private static final int PORT = Integer.getInteger("port", 0);
    private static final int SLICES = Integer.getInteger("slices", 1);
    private static final Compress COMPRESS =
            Compress.valueOf(System.getProperty("compress", Compress.NONE.name()));
    private static final String SCHEMES = System.getProperty("schemes", "");

    private final Collective collective;
    private final Clock clock = Clock.system();
    private long step;

    private Rank(Collective collective) {
        this.collective = collective;
    }

    /** Arguments: rank, size, TCP or SHARED_MEMORY, the run's token. */
    public static void main(String[] arguments) throws IOException {
        int rank = Integer.parseInt(arguments[0]);
        int size = Integer.parseInt(arguments[1]);
        StrategySpec.Transport transport = StrategySpec.Transport.valueOf(arguments[2]);
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (ExchangeEndpoint endpoint =
                ExchangeEndpoint.open(options(arguments[3]), Clock.system())) {
            say(String.valueOf(endpoint.dataPort()));
            Group group = group(lines.readLine().split(" ", -1), size);
            Formation formation = endpoint.form(group, new WorkerId(rank), transport, BUFFER_BYTES);
            if (!(formation instanceof Formation.Formed formed)) {
                throw new IllegalStateException(formation.toString());
            }
            new Rank(formed.collective()).serve(lines);
        }
    }

    private static ExchangeOptions options(String token) {
        ExchangeOptions usual = ExchangeOptions.of(token);
        if (PORT != 0) {
            usual = usual.listeningOn("0.0.0.0", PORT).compressing(COMPRESS);
        }
        if (!SCHEMES.isEmpty()) {
            usual =
                    usual.choosingOf(
                            Stream.of(SCHEMES.split(",", -1))
                                    .map(Scheme::valueOf)
                                    .collect(Collectors.toSet()));
        }
        return usual.cutting(
                DIRECT_BYTES == 0 ? usual.directBytes() : DIRECT_BYTES,
                SEGMENT_BYTES == 0 ? usual.segmentBytes() : SEGMENT_BYTES);
    }

    private static Group group(String[] places, int size) {
        List<Member> members = new ArrayList<>();
        for (int peer = 0; peer < size; peer++) {
            members.add(member(peer, places[peer]));
        }
        return new Group(1, members);
    }

    /** A member on this host, named by its port, or on another: site@address:port. */
    private static Member member(int rank, String place) {
        int at = place.indexOf('@');
        int colon = place.indexOf(':');
        boolean isElsewhere = at >= 0;
        String address = isElsewhere ? place.substring(at + 1, colon) : "127.0.0.1";
        return new Member(
                new WorkerId(rank),
                isElsewhere ? address : ExchangeEndpoint.hostKey(),
                isElsewhere ? place.substring(0, at) : Member.NO_SITE,
                address,
                Integer.parseInt(place.substring(colon + 1)),
                "");
    }

    private void serve(BufferedReader lines) throws IOException {
        say("ready " + collective.description());
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ", -1);
            long bytes = Long.parseLong(words[1]);
            int iterations = Integer.parseInt(words[2]);
            sum(Float.BYTES);
            ExchangeTimes unused = collective.times();
            long startNs = clock.nowNs();
            for (int i = 0; i < iterations; i++) {
                sum(bytes);
            }
            long tookNs = clock.nowNs() - startNs;
            if (PORT == 0) {
                say(String.valueOf(tookNs));
            } else {
                say(tookNs + " " + collective.times().bytesToOtherSites());
            }
        }
        collective.close();
    }

    private void sum(long bytes) {
        collective.begin(new StepTag(1, ++step, 1));
        long sliceBytes = Math.max(bytes / SLICES / Float.BYTES, 1) * Float.BYTES;
        for (long start = 0; start < bytes; start += sliceBytes) {
            collective.sum(
                    start,
                    Math.min(sliceBytes, bytes - start),
                    ElementType.FLOAT32,
                    Fidelity.CODED);
        }
        Fault fault = collective.finish();
        if (fault != null) {
            throw new IllegalStateException(fault.message());
        }
        collective.applied();
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
