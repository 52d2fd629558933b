package dev.medley.exchange;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.StepTag;
import dev.medley.base.WorkerId;
import dev.medley.base.memory.ElementType;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.base.time.Clock;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A worker as a process of its own. Says its port; each line "EPOCH TRANSPORT worker:port ..."
 * makes it form that epoch and run steps until a fault, which it says. Every sum is checked.
 */
final class RankProcess {
    private static final int BYTES = 12 << 20;
    private static final int LAST_BYTES = 1024;

    private final ExchangeEndpoint endpoint;
    private final WorkerId self;

    private RankProcess(ExchangeEndpoint endpoint, WorkerId self) {
        this.endpoint = endpoint;
        this.self = self;
    }

    /** Arguments: worker, run token, step timeout in milliseconds. */
    public static void main(String[] arguments) throws Exception {
        long stepNs = Long.parseLong(arguments[2]) * 1_000_000;
        ExchangeOptions options =
                ExchangeOptions.of(arguments[1]).waitingAtMost(20_000_000_000L, stepNs);
        try (ExchangeEndpoint endpoint = ExchangeEndpoint.open(options, Clock.system())) {
            WorkerId self = new WorkerId(Integer.parseInt(arguments[0]));
            say("port " + endpoint.dataPort());
            new RankProcess(endpoint, self).serve();
        }
    }

    private void serve() throws Exception {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ", -1);
            Group group = group(words);
            Formation formation =
                    endpoint.form(group, self, Transport.valueOf(words[1]), BYTES + LAST_BYTES);
            if (formation instanceof Formation.Formed formed) {
                say("formed " + formed.collective().description());
                run(formed.collective(), group.epoch());
            } else {
                say("unformed " + ((Formation.Failed) formation).fault());
            }
        }
    }

    private static Group group(String[] words) {
        List<Member> members = new ArrayList<>();
        for (int i = 2; i < words.length; i++) {
            String[] member = words[i].split(":", -1);
            members.add(
                    new Member(
                            new WorkerId(Integer.parseInt(member[0])),
                            ExchangeEndpoint.hostKey(),
                            Member.NO_SITE,
                            "127.0.0.1",
                            Integer.parseInt(member[1]),
                            ""));
        }
        return new Group(Integer.parseInt(words[0]), members);
    }

    private static void run(Collective collective, int epoch) {
        for (long step = 1; ; step++) {
            collective.buffer().buffer().putFloat(0, (float) step);
            collective.buffer().buffer().putFloat(BYTES - 4, collective.rank());
            collective.begin(new StepTag(epoch, step, 1));
            collective.sum(BYTES / 2, BYTES / 2, ElementType.FLOAT32);
            collective.sum(BYTES / 4, BYTES / 4, ElementType.FLOAT32);
            collective.sum(0, BYTES / 4, ElementType.FLOAT32);
            collective.sum(BYTES, LAST_BYTES, ElementType.FLOAT64);
            Fault fault = collective.finish();
            if (fault != null) {
                say("fault " + fault.kind() + " " + fault.who() + " " + fault.message());
                return;
            }
            int size = collective.size();
            boolean isRight =
                    collective.buffer().buffer().getFloat(0) == (float) (step * size)
                            && collective.buffer().buffer().getFloat(BYTES - 4)
                                    == size * (size - 1) / 2f;
            if (!isRight) {
                throw new IllegalStateException("step " + step + " has a wrong sum");
            }
            say("step " + step);
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
