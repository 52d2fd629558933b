package dev.medley.benchmarks.exchange;

import dev.medley.base.Clock;
import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.StepTag;
import dev.medley.base.WorkerId;
import dev.medley.base.job.StrategySpec;
import dev.medley.base.memory.ElementType;
import dev.medley.exchange.Collective;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.exchange.ExchangeOptions;
import dev.medley.exchange.Formation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One rank of the benchmark: a process driven by lines on standard input, the same that
 * gloo_allreduce.py understands. It first says its port and is told those of all.
 */
public final class Rank {
    private static final long BUFFER_BYTES = 100L << 20;
    private static final int DIRECT_BYTES = Integer.getInteger("directBytes", 0);
    private static final int SEGMENT_BYTES = Integer.getInteger("segmentBytes", 0);

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
        return usual.cutting(
                DIRECT_BYTES == 0 ? usual.directBytes() : DIRECT_BYTES,
                SEGMENT_BYTES == 0 ? usual.segmentBytes() : SEGMENT_BYTES);
    }

    private static Group group(String[] ports, int size) {
        List<Member> members = new ArrayList<>();
        for (int peer = 0; peer < size; peer++) {
            members.add(
                    new Member(
                            new WorkerId(peer),
                            ExchangeEndpoint.hostKey(),
                            Member.NO_SITE,
                            "127.0.0.1",
                            Integer.parseInt(ports[peer]),
                            ""));
        }
        return new Group(1, members);
    }

    private void serve(BufferedReader lines) throws IOException {
        say("ready " + collective.description());
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ", -1);
            long bytes = Long.parseLong(words[1]);
            int iterations = Integer.parseInt(words[2]);
            sum(Float.BYTES);
            long startNs = clock.nowNs();
            for (int i = 0; i < iterations; i++) {
                sum(bytes);
            }
            say(String.valueOf(clock.nowNs() - startNs));
        }
        collective.close();
    }

    private void sum(long bytes) {
        collective.begin(new StepTag(1, ++step, 1));
        collective.sum(0, bytes, ElementType.FLOAT32);
        Fault fault = collective.finish();
        if (fault != null) {
            throw new IllegalStateException(fault.message());
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
