package dev.medley.training.worker;

import dev.medley.base.Clock;
import dev.medley.base.Json;
import dev.medley.base.Place;
import dev.medley.net.control.ControlServer;
import java.net.InetSocketAddress;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * A worker process: {@code WorkerMain HOST PORT LAUNCH}, with the run's secret in the environment
 * variable {@value ControlServer#SECRET_VARIABLE}. The terminal's interrupt is not for workers: the
 * coordinator tells them what to do.
 */
public final class WorkerMain {
    private WorkerMain() {}

    /** Works until told to leave; exit status 0 if that is how it ended. */
    public static void main(String[] args) throws Exception {
        Signal.handle(new Signal("INT"), SignalHandler.SIG_IGN);
        InetSocketAddress coordinator = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
        String token = System.getenv().getOrDefault(ControlServer.SECRET_VARIABLE, "");
        int launch = Integer.parseInt(args[2]);
        String there = System.getenv(Place.VARIABLE);
        if (there != null) {
            // Stopping a service signals all of its processes: the agent takes leave for both.
            Signal.handle(new Signal("TERM"), SignalHandler.SIG_IGN);
        }
        Place place = there == null ? Place.HERE : Json.parse(there, Place.class);
        boolean inGoodOrder = new Worker(coordinator, token, launch, place, Clock.system()).run();
        // Daemon threads of LibTorch may be busy: leave without waiting for them.
        Runtime.getRuntime().halt(inGoodOrder ? 0 : 1);
    }
}
