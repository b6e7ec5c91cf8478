/* SPDX-License-Identifier: MIT
 *
 * A network with one server on it, inside the process: it knows one file and
 * answers requests for its ranges, a few bytes at a time.
 */
#ifndef NET_H
#define NET_H

struct connection;

/* NULL if there is no such host. */
struct connection *net_connect(const char *host);
void net_close(struct connection *c);

void net_send(struct connection *c, const char *request);

/* Up to `room` bytes of the answer; 0 at its end. */
int net_receive(struct connection *c, char *buffer, int room);

/* What the server's file holds, for comparison. */
extern const char net_file[];

#endif
