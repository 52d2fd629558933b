package dev.medley.hub.agent;

import dev.medley.api.agent.AgentRun;
import dev.medley.hub.service.AgentOrders;
import java.util.function.Consumer;

/** Serves one run on a thread of its own. */
final class ServedRun {
    private final AgentOrders.Service order;
    private final AgentRun run;
    private final Thread thread;
    private boolean isAsked;

    private ServedRun(AgentOrders.Service order, AgentRun run, Thread thread) {
        this.order = order;
        this.run = run;
        this.thread = thread;
    }

    static ServedRun start(AgentOrders.Service order, AgentRun run, Consumer<String> says) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                run.run();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            } catch (RuntimeException e) {
                                says.accept("job %d: %s".formatted(order.job(), e.getMessage()));
                            }
                        },
                        "job-" + order.job());
        thread.setDaemon(true);
        thread.start();
        return new ServedRun(order, run, thread);
    }

    String address() {
        return order.address();
    }

    boolean isOver() {
        return !thread.isAlive();
    }

    void leave() {
        isAsked = true;
        run.leave();
    }

    /** A second time would be at once. */
    void leaveOnce() {
        if (!isAsked) {
            leave();
        }
    }

    void await() throws InterruptedException {
        thread.join();
    }
}
