import { contextBridge, ipcRenderer } from 'electron';
import {
  type Bridge,
  BRIDGE_NAME,
  ipcRequests,
  STATUS_CHANNEL,
  type StatusMessage,
} from './bridge.ts';

const bridge: Bridge = {
  getStatus: () => ipcRenderer.invoke(ipcRequests.status),
  getAbout: () => ipcRenderer.invoke(ipcRequests.about),
  getExchange: (id) => ipcRenderer.invoke(ipcRequests.exchange, id),
  pause: () => ipcRenderer.invoke(ipcRequests.pause),
  resume: () => ipcRenderer.invoke(ipcRequests.resume),
  onStatus(listener) {
    // The event is not passed on: it refers to the whole ipcRenderer.
    const receive = (_event: unknown, status: StatusMessage): void => listener(status);
    ipcRenderer.on(STATUS_CHANNEL, receive);
    return () => void ipcRenderer.off(STATUS_CHANNEL, receive);
  },
};

contextBridge.exposeInMainWorld(BRIDGE_NAME, bridge);
