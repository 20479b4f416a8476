//! One flight a key in this process: who comes while a page is being made waits for that page.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::watch;

use super::{
    entry::Entry,
    made::{How, MakeError},
};

/// What a flight brought.
pub(super) type Outcome = Result<Landing, MakeError>;

/// A page that a flight brought.
#[derive(Clone, Debug)]
pub(super) struct Landing {
    pub(super) entry: Arc<Entry>,
    pub(super) how: How,
}

/// A place in a flight: becomes something when it lands, closes when it is lost.
pub(super) type Seat = watch::Receiver<Option<Outcome>>;

type Running = Mutex<HashMap<Arc<str>, Seat>>;

/// All flights of this process.
#[derive(Debug, Default)]
pub(super) struct Flights {
    running: Arc<Running>,
}

/// The one who makes the page. When it is dropped the flight is over, landed or lost.
#[derive(Debug)]
pub(super) struct Pilot {
    running: Arc<Running>,
    text: Arc<str>,
    sender: watch::Sender<Option<Outcome>>,
}

/// Who one is on a flight.
#[derive(Debug)]
pub(super) enum Board {
    /// The first: makes the page.
    Lead(Pilot),
    /// A later one: waits.
    Join(Seat),
}

impl Flights {
    pub(super) fn board(&self, text: &str) -> Board {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(seat) = running.get(text) {
            return Board::Join(seat.clone());
        }
        let text: Arc<str> = text.into();
        let (sender, seat) = watch::channel(None);
        running.insert(text.clone(), seat);
        Board::Lead(Pilot { running: self.running.clone(), text, sender })
    }

    pub(super) fn len(&self) -> usize {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

impl Pilot {
    pub(super) fn text(&self) -> &Arc<str> {
        &self.text
    }

    pub(super) fn seat(&self) -> Seat {
        self.sender.subscribe()
    }

    /// Gives all who wait what they wait for. The first landing counts.
    pub(super) fn land(&self, outcome: Outcome) {
        self.sender.send_if_modified(|seat| match seat {
            Some(_) => false,
            None => {
                *seat = Some(outcome);
                true
            }
        });
    }
}

impl Drop for Pilot {
    fn drop(&mut self) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.remove(&self.text);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[tokio::test]
    async fn later_ones_wait_and_a_lost_flight_lets_them_go() {
        let flights = Flights::default();
        let Board::Lead(pilot) = flights.board("k") else { unreachable!() };
        let Board::Join(mut seat) = flights.board("k") else { unreachable!() };
        assert!(matches!(flights.board("other"), Board::Lead(_)));
        pilot.land(Err(MakeError::Busy));
        pilot.land(Err(MakeError::Late));
        let outcome = seat.wait_for(Option::is_some).await.unwrap().clone();
        assert!(matches!(outcome, Some(Err(MakeError::Busy))));
        drop(pilot);
        assert_eq!(flights.len(), 0);

        let Board::Lead(pilot) = flights.board("k") else { unreachable!() };
        let Board::Join(mut seat) = flights.board("k") else { unreachable!() };
        drop(pilot);
        assert!(seat.wait_for(Option::is_some).await.is_err());
        assert!(matches!(flights.board("k"), Board::Lead(_)));
    }
}
