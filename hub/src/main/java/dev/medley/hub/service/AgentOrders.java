package dev.medley.hub.service;

import java.util.List;

/**
 * Says which jobs an agent should serve from now on, and no others: it joins what is new and leaves
 * what is not named at the next step border. Orders are whole, so a lost answer costs nothing.
 *
 * @param refused why this agent is not taken; empty where it is
 */
public record AgentOrders(List<Service> serve, String refused) {
    /**
     * Names a run to serve.
     *
     * @param address host and port of the run's coordinator
     */
    public record Service(long job, String address) {}

    public AgentOrders {
        serve = List.copyOf(serve);
    }
}
