package dev.medley.simulation;

import dev.medley.base.Json;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A machine that an agent offers, on virtual time: it runs one worker at a time. */
final class VirtualMachine implements Network.Party {
    private final VirtualRun run;
    private final String name;
    private final Network.Connection connection;
    private @Nullable VirtualWorker worker;
    private boolean isLeaving;
    private boolean isGone;

    VirtualMachine(VirtualRun run, String name) {
        this.run = run;
        this.name = name;
        this.connection = run.network().connect(JoinSecret.Kind.CLUSTER, this);
        connection.say(
                new Message.Offer(
                        VirtualWorker.VERSION,
                        name,
                        "",
                        run.wallMillis(),
                        null,
                        Json.tree(Map.of())));
        beat();
    }

    boolean isGone() {
        return isGone;
    }

    private void beat() {
        if (!isGone) {
            connection.say(new Message.Present());
            run.time().after(VirtualRun.BEAT_NS, this::beat);
        }
    }

    @Override
    public void received(Message message) {
        if (isGone) {
            return;
        }
        if (message instanceof Message.Launch launch) {
            run.time().after(run.delay(50), () -> start(launch.launch()));
        } else if (message instanceof Message.Kill kill) {
            VirtualWorker running = worker;
            if (running != null && running.launch == kill.launch()) {
                running.die(137, "");
            } else if (running == null) {
                connection.say(new Message.Exited(kill.launch(), 137, "", ""));
            }
        } else if (message instanceof Message.Dismissed) {
            leave();
        }
    }

    /** Files may not arrive, and processes may not start. */
    private void start(int launch) {
        if (isGone || isLeaving && run.random().nextBoolean()) {
            connection.say(new Message.Exited(launch, -1, "wanted back", ""));
        } else if (run.random().nextInt(15) == 0) {
            connection.say(new Message.Exited(launch, -1, "no room on the disk", ""));
        } else {
            connection.say(new Message.Started(launch));
            worker = run.start(launch, name);
        }
    }

    /** The process of its worker has ended. */
    void exited(VirtualWorker ended, int code, String outOfMemory) {
        if (ended == worker) {
            worker = null;
            connection.say(new Message.Exited(ended.launch, code, "", outOfMemory));
            if (isLeaving) {
                leave();
            }
        }
    }

    /** Its owner wants it back. */
    void wantBack() {
        if (!isLeaving && !isGone) {
            isLeaving = true;
            connection.say(new Message.Leaving(name + " is wanted back"));
            run.time().after(run.delay(2000), this::vanish);
        }
    }

    /** As in a power cut. */
    void vanish() {
        if (!isGone) {
            isGone = true;
            VirtualWorker running = worker;
            worker = null;
            if (running != null) {
                running.die(137, "");
            }
            connection.tear();
        }
    }

    private void leave() {
        isGone = true;
        connection.hangUp();
    }

    @Override
    public void cutOff() {
        if (!isGone) {
            vanish();
        }
    }
}
